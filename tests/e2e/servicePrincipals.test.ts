/**
 * Deploys the example of docs/service-principals.md: an application and a service operator that sign in as applications in
 * Entra. The local Entra stands in for Entra; the operator, the webhook and the API server are real. It does not prove which
 * rights in the directory Entra itself asks for.
 *
 * The tests are steps of one story and run in order.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import type { AzureClients } from '../support/azureClients';
import { projectRoot } from '../support/command';
import { localCloud } from '../support/localCloud';

jest.setTimeout(15 * 60_000);

const cloud = localCloud('service-principals');
const stack = 'service-principals';
const file = 'examples/configurations/service-principals/Pulumi.service-principals.yaml';
let azure: AzureClients;

interface Registered {
  readonly id: string;
  readonly appId: string;
  readonly displayName: string;
}

/** The applications of the stack in Entra, by name. */
async function applications(): Promise<Registered[]> {
  const { value } = (await azure
    .graph()
    .api('/applications')
    .filter(`tags/any(t:t eq 'aks-workload-identity/${stack}')`)
    .select('id,appId,displayName')
    .get()) as { value: Registered[] };
  return value.sort((one, other) => (one.displayName < other.displayName ? -1 : 1));
}

async function trusts({ id }: Registered): Promise<string[]> {
  const { value } = (await azure.graph().api(`/applications/${id}/federatedIdentityCredentials`).get()) as {
    value: { subject: string }[];
  };
  return value.map(({ subject }) => subject);
}

async function application(displayName: string): Promise<Registered> {
  const found = (await applications()).find((candidate) => candidate.displayName === displayName);
  if (found === undefined) throw new Error(`there is no application ${displayName}`);
  return found;
}

/** The example without `orders`. */
function withoutOrders(): string {
  const example = parse(readFileSync(path.join(projectRoot, file), 'utf8')) as {
    config: Record<string, { name: string }[]>;
  };
  const key = 'aks-workload-identity:applications';
  const left = example.config[key]?.filter(({ name }) => name !== 'orders') ?? [];
  return stringify({ config: { ...example.config, [key]: left } });
}

beforeAll(async () => {
  await cloud.start();
  azure = await cloud.azure();
});
afterAll(() => cloud.clean());

describe('applications in Entra as identities', () => {
  it('read the secrets and provision the services that the stack names, and a second update changes nothing', async () => {
    const { output } = await cloud.up({ stack, file });

    expect(output).toMatch(/\n[1-9]\d* checks passed, 0 failed/);
    const [orders, operator, ...others] = await applications();
    expect(others).toEqual([]);
    expect([orders?.displayName, operator?.displayName].sort()).toEqual([
      `id-${stack}-aks-1-aso`,
      `id-${stack}-aks-1-orders`,
    ]);
    const { workloads, identities } = await cloud.outputs(stack);
    const { id, appId } = await application(`id-${stack}-aks-1-orders`);
    expect(workloads.find((workload) => workload.application === 'orders')?.identity).toMatchObject({
      id: `/applications/${id}`,
      clientId: appId,
    });
    expect(identities.map(({ name }) => name)).toContain(`id-${stack}-aks-1-aso`);
    expect(await cloud.changesOfSecondUpdate({ stack, file })).toEqual([]);
  });

  it('are verified: a password that somebody adds is a failure, with the command that removes it', async () => {
    const { id, appId } = await application(`id-${stack}-aks-1-orders`);
    const { keyId } = (await azure
      .graph()
      .api(`/applications/${id}/addPassword`)
      .post({ passwordCredential: { displayName: 'added' } })) as { keyId: string };

    const { code, report } = await cloud.verify(stack);
    expect(code).toBe(1);
    expect(report.checks.filter(({ ok }) => !ok)).toEqual([
      {
        cluster: 'aks-1',
        application: `id-${stack}-aks-1-orders`,
        check: 'signs in only with federation',
        ok: false,
        detail: expect.stringContaining(
          `az ad app credential delete --id ${appId} --key-id ${keyId}`,
        ) as string,
      },
    ]);
    await azure.graph().api(`/applications/${id}/removePassword`).post({ keyId });
    expect((await cloud.verify(stack)).code).toBe(0);
  });

  it('are imported with their trust when the state is lost', async () => {
    const before = await application(`id-${stack}-aks-1-orders`);
    const urn = (await cloud.urns(stack)).find((candidate) =>
      /application:Application::aks-1-orders$/.test(candidate),
    );
    await cloud.pulumi({ stack, file }, 'state', 'delete', urn ?? '', '--target-dependents', '--yes');

    await cloud.succeed('import', '--stack', stack, '--local', '--stack-file', file, '--yes');
    const steps = await cloud.deploy({ stack, file });
    expect(steps.summary.filter((step) => /replace|delete|create azuread/.test(step))).toEqual([]);
    expect(await application(`id-${stack}-aks-1-orders`)).toEqual(before);
    expect(await trusts(before)).toHaveLength(1);
  });

  it('stay in Entra without their trust when they leave the stack file, and are listed', async () => {
    const { id } = await application(`id-${stack}-aks-1-orders`);
    await cloud.deploy({ stack, yaml: withoutOrders() });

    expect(await trusts(await application(`id-${stack}-aks-1-orders`))).toEqual([]);
    const listed = await cloud.succeed('orphans', '--stack', stack, '--local');
    expect(listed).toContain(`/applications/${id}`);
  });
});
