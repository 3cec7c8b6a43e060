import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { recordedInputs } from '../../../cli/import/inputs';
import { unknownValue } from '../../../cli/preview';
import { withRecordedInputs } from '../../../cli/import/engine';
import type { AliasKind, ExistingResource } from '../../../cli/import/find';
import { recordAliases } from '../../../cli/import/stackFile';
import { UserError } from '../../../cli/userError';

const group = '/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/rg';
const urns = { group: 'urn:pulumi:test::p::t::rg', identity: 'urn:pulumi:test::p::t::aks-1' };

describe('the inputs that are recorded', () => {
  it('are those of the program where Azure has the same under another name', () => {
    const wanted = {
      location: 'westeurope',
      tier: 'Standard',
      permissions: ['get', 'list'],
      tags: { a: 'b' },
    };
    const read = {
      location: 'West Europe',
      tier: 'standard',
      permissions: ['List', 'Get'],
      tags: { a: 'b' },
      own: 1,
    };

    expect(recordedInputs(read, wanted)).toEqual(wanted);
  });

  it('are those of Azure where they differ', () => {
    expect(
      recordedInputs(
        { sku: { tier: 'Free', name: 'Base' }, tags: { a: 'B' }, pools: [{ count: 1, os: 'x' }] },
        { sku: { tier: 'Standard' }, tags: { a: 'b' }, pools: [{ count: 3 }], autoUpgrade: 'patch' },
      ),
    ).toEqual({ sku: { tier: 'Free' }, tags: { a: 'B' }, pools: [{ count: 1 }] });
  });

  it('are never a secret, and unknown ones are those of Azure', () => {
    expect(
      recordedInputs(
        { properties: {}, issuer: 'https://x/' },
        { properties: { value: '[secret]' }, issuer: unknownValue },
      ),
    ).toEqual({ properties: {}, issuer: 'https://x/' });
  });

  it('replace those of the imported resources in the state, and nothing else of it', () => {
    const state = {
      version: 3,
      deployment: {
        manifest: { time: 'then' },
        resources: [
          {
            urn: urns.group,
            custom: true,
            id: group,
            inputs: { resourceGroupName: 'rg', managedBy: 'x' },
            outputs: { a: 1 },
          },
          { urn: urns.identity, custom: true, inputs: { managedBy: 'x' } },
        ],
      },
    };
    const elsewhere = [{ urn: urns.group.replace('rg', 'other'), id: group, inputs: {} }];
    expect(() => withRecordedInputs(JSON.stringify(state), elsewhere)).toThrow('under another URN');
    const text = withRecordedInputs(JSON.stringify(state), [
      { urn: urns.group, id: group, inputs: { resourceGroupName: 'rg' } },
    ]);

    expect(JSON.parse(text)).toEqual({
      ...state,
      deployment: {
        ...state.deployment,
        resources: [
          { ...state.deployment.resources[0], inputs: { resourceGroupName: 'rg' } },
          state.deployment.resources[1],
        ],
      },
    });
  });
});

describe('names that are recorded in the stack file', () => {
  const alias = (kind: AliasKind, inStack: string, inAzure: string): ExistingResource => ({
    urn: `urn:pulumi:test::p::t::${inStack}`,
    id: inAzure,
    inputs: {},
    alias: { kind, name: inAzure },
  });

  /** The text of a stack file after names were recorded in it. */
  const withAliases = (text: string, aliases: readonly ExistingResource[]) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'import-records-'));
    try {
      const file = path.join(folder, 'Pulumi.test.yaml');
      writeFileSync(file, text);
      recordAliases(file, aliases);
      return readFileSync(file, 'utf8');
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  it.each([
    ['an editor', '  '],
    ['pulumi', '    '],
  ])('leave everything else in the file as %s wrote it', (_by, tab) => {
    const text = [
      '# Of the team.',
      'encryptionsalt: v1:a=:v1:b',
      'config:',
      `${tab}aks-workload-identity:location: westeurope # here`,
      `${tab}aks-workload-identity:clusters: [{ name: 'aks-1' }, { name: "aks-2", nodes: {vmSize: Standard_D4ds_v5} }]`,
      '',
      `${tab}# Runs everywhere.`,
      `${tab}aks-workload-identity:applications:`,
      `${tab}${tab}- name: orders`,
      `${tab}${tab}  vault:`,
      `${tab}${tab}    name: "kv"`,
      '',
      `${tab}${tab}  # Folded by hand.`,
      `${tab}${tab}  text: >-`,
      `${tab}${tab}    one`,
      `${tab}${tab}    two`,
      `${tab}${tab}  script: |`,
      `${tab}${tab}    a`,
      '',
      `${tab}aks-workload-identity:tags:`,
      `${tab}${tab}owner: team # at the end`,
    ];
    const end = ['', '# After it.', 'last: true', ''];

    expect(
      withAliases([...text, ...end].join('\n'), [
        alias('roleAssignments', 'kv/aks-1/orders-db', 'guid'),
        alias('roleAssignments', 'kv/aks-1/orders-key', '1234'),
        alias('federatedCredentials', 'aks-1/orders_orders', 'by-hand'),
      ]),
    ).toBe(
      [
        ...text,
        `${tab}aks-workload-identity:imported:`,
        `${tab}${tab}roleAssignments:`,
        `${tab}${tab}${tab}kv/aks-1/orders-db: guid`,
        `${tab}${tab}${tab}kv/aks-1/orders-key: "1234"`,
        `${tab}${tab}federatedCredentials:`,
        `${tab}${tab}${tab}aks-1/orders_orders: by-hand`,
        ...end,
      ].join('\n'),
    );
  });

  it('leave a block at the end of the configuration as it is', () => {
    const text = 'config:\n    aks-workload-identity:text: |\n        a\n          b\n';
    expect(withAliases(text, [alias('roleAssignments', 'c', 'd')])).toBe(
      `${text}    aks-workload-identity:imported:\n        roleAssignments:\n            c: d\n`,
    );
  });

  it('join those that are there', () => {
    const text = 'config:\n  aks-workload-identity:imported:\n    roleAssignments:\n      a: b # mine\n';
    expect(withAliases(text, [alias('roleAssignments', 'c', 'd')])).toBe(
      'config:\n  aks-workload-identity:imported:\n    roleAssignments:\n      a: b # mine\n      c: d\n',
    );
  });

  it('are refused by a file without a configuration', () => {
    expect(() => withAliases('config: 1\n', [])).toThrow(UserError);
  });
});
