import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { application } from '../../../stacks/settings/schema/applications';
import type { LegacyObject } from '../../../cli/migrate/objects';
import { spawnSync } from 'node:child_process';
import { reviewFiles } from '../../../cli/migrate/review';
import { check, head } from '../stacks/stackFileText';
import { binding, id, identity, deployment, shop, planMigration, place } from './migrate.fixture';

describe('the files for review', () => {
  const files = reviewFiles(planMigration(shop).candidates, place);
  const last = (name: string): unknown => parse((files.get(name) ?? '').split('---\n').at(-1) ?? '');

  it('create the trust, annotate the service account and label the pods', () => {
    expect(files.get('federated-credentials.sh')).toContain(
      `# "Deployment shop/web" can act as ${JSON.stringify(id('web'))}\naz identity`,
    );
    expect(files.get('federated-credentials.sh')).toMatch(
      /--name 'aks-1_shop_web' .*\n.*--identity-name 'web' --resource-group 'rg' --subscription '[0-]{36}' .*\n.*--issuer 'https:\/\/issuer\/' .*\n.*--subject 'system:serviceaccount:shop:web' --audiences 'api:\/\/AzureADTokenExchange'/,
    );
    expect(last('service-accounts.yaml')).toMatchObject({
      metadata: {
        annotations: {
          'azure.workload.identity/client-id': 'client-of-web',
          'azure.workload.identity/tenant-id': 'tenant',
        },
      },
    });
    expect(last('labels.yaml')).toMatchObject({
      ...{ apiVersion: 'apps/v1', kind: 'Deployment' },
      spec: { template: { metadata: { labels: { 'azure.workload.identity/use': 'true' } } } },
    });
  });

  it('leave out existing trust, under any name', () => {
    const script = reviewFiles(planMigration(shop).candidates, place, () => true).get(
      'federated-credentials.sh',
    );

    expect(script).not.toContain('az identity');
    expect(script).toContain('# "Deployment shop/web": its identity already trusts it.');
  });

  it('run nothing but az, whatever the objects say', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'migrate-'));
    const [candidate] = planMigration(shop).candidates;
    if (candidate === undefined) throw new Error('no candidate');
    const odd = { ...candidate, name: 'a\nexit 3', serviceAccount: "it's $(exit 4); `exit 5`" };
    const script = reviewFiles([odd], place).get('federated-credentials.sh') ?? '';
    writeFileSync(path.join(folder, 'az'), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 });
    const { status, stdout } = spawnSync('sh', ['-e', '-c', script], {
      ...{ encoding: 'utf8', env: { ...process.env, PATH: `${folder}:${process.env.PATH ?? ''}` } },
    });
    rmSync(folder, { recursive: true });

    expect(status).toBe(0);
    expect(stdout).toContain(`\n--subject\nsystem:serviceaccount:shop:${odd.serviceAccount}\n--audiences\n`);
  });

  it('name each credential differently', () => {
    const [candidate] = planMigration(shop).candidates;
    if (candidate === undefined) throw new Error('no candidate');
    const long = 'x'.repeat(120);
    const script = reviewFiles(
      [
        { ...candidate, namespace: 'a-b', serviceAccount: 'c' },
        { ...candidate, namespace: 'a', serviceAccount: 'b-c' },
        { ...candidate, serviceAccount: `${long}1` },
        { ...candidate, serviceAccount: `${long}2` },
      ],
      place,
    ).get('federated-credentials.sh');
    const names = [...(script ?? '').matchAll(/create --name '([\w-]{1,120})'/g)].map(([, name]) => name);

    expect(new Set(names).size).toBe(4);
  });

  it('label no Job and no pod in place', () => {
    const [candidate] = planMigration(shop).candidates;
    if (candidate === undefined) throw new Error('no candidate');
    const text = reviewFiles([{ ...candidate, kind: 'Job' }], place).get('labels.yaml');

    expect(text).toContain('# Recreate "Job shop/web" with');
    expect(parse(text ?? '')).toBeNull();
  });

  const applicationsOf = (objects: readonly LegacyObject[]) =>
    reviewFiles(planMigration(objects).candidates, place).get('applications.yaml') ?? '';

  it('has an application for a Deployment, with what exists', () => {
    const text = applicationsOf(shop);
    expect(parse(text)).toEqual({
      'aks-workload-identity:applications': [
        {
          ...{ name: 'web', clusters: ['aks-1'], image: 'ghcr.io/x/shop:1.0.0', replicas: 2 },
          identity: { existing: { 'aks-1': id('web') } },
          namespace: { name: 'shop', existing: true },
          serviceAccount: { name: 'web', existing: true },
          secrets: [],
        },
      ],
    });
    expect(text).toContain('It causes an interruption');
    const [entry] = z
      .object({ 'aks-workload-identity:applications': z.array(z.unknown()) })
      .parse(parse(text))['aks-workload-identity:applications'];
    expect(application.safeParse(entry).error).toBeUndefined();
  });

  it('names what an application does not carry over, and leaves out what it cannot be', () => {
    const containers = [
      {
        ...{ image: 'ghcr.io/x/shop:1.0.0', command: ['x'], livenessProbe: {}, imagePullPolicy: 'Always' },
        env: [
          { name: 'A', valueFrom: {} },
          { name: 'DB_PASSWORD', value: 'hunter2' },
        ],
      },
    ];
    const more = deployment('web', {
      containers,
      initContainers: [{}],
      volumes: [{}],
      restartPolicy: 'Always',
    });
    const text = applicationsOf([...shop.slice(0, 2), more]);

    expect(text).toContain(
      '# "Deployment shop/web": not carried over: "initContainers", "volumes", "command", "livenessProbe", env "A", env "DB_PASSWORD"\n',
    );
    expect(text).not.toContain('hunter2');
    expect(parse(text)).not.toHaveProperty(['aks-workload-identity:applications', 0, 'env']);
    const untagged = deployment('web', { containers: [{ image: 'shop' }] });
    expect(applicationsOf([...shop.slice(0, 2), untagged])).toMatch(
      /"Deployment shop\/web": left out: .*\n.*: \[\]/,
    );
  });

  it('has each identity once, as a stack has to', () => {
    const account = { serviceAccountName: 'again' };
    const again = deployment('again', { selector: 'web', ...account });
    const others = [identity('api'), binding('api'), deployment('api')];
    const text = applicationsOf([...shop, again, ...others]);
    const indented = text.replaceAll(/^(?=.)/gm, '  ');

    expect(check(`${head}${indented}`).lines).toEqual([]);
    expect([...text.matchAll(/- name: (.*)/g)].map(([, name]) => name)).toEqual(['web', 'api']);
    expect(text).toMatch(
      /# "Deployment shop\/again": left out: it shares the identity of "Deployment shop\/web"\. Give it its own identity/,
    );
  });

  it('is nothing but comments and its entries, whatever the objects say', () => {
    const odd = 'x\nevil: true';
    const containers = [
      {
        ...{ image: 'ghcr.io/x/shop:1.0.0', [odd]: 1, env: [{ name: odd, value: odd }] },
        ports: [{ containerPort: 80 }, { containerPort: odd }],
      },
    ];
    const text = applicationsOf([
      ...shop.slice(0, 2),
      deployment('web', { containers, [odd]: 1 }, { [odd]: 'x' }),
    ]);

    expect(Object.keys(parse(text) as object)).toEqual(['aks-workload-identity:applications']);
    expect(text.split('x\\nevil: true')).toHaveLength(6);
  });

  it('has no two applications of one name', () => {
    const [one] = planMigration(shop).candidates;
    if (one === undefined) throw new Error('no candidate');
    const other = { ...one, namespace: 'other', identity: { ...one.identity, resourceId: id('other') } };
    const text = reviewFiles([one, other], place).get('applications.yaml') ?? '';

    expect([...text.matchAll(/- name: (.*)/g)].map(([, name]) => name)).toEqual(['web', 'web-2']);
  });
});
