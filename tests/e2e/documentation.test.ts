/**
 * Every command in the documentation runs as it stands there, in a copy of the project against a local cloud of its
 * own. `pulumi` means the local cloud's: `npx aks-wi pulumi`. It does not prove what only Azure can, see `excepted`.
 *
 * The commands are steps of one story and run in order.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot, runProcess, type Finished } from '../support/command';
import { commandsOf, documentationPages, type DocumentedCommand } from '../support/documentedCommands';
import { localCloud } from '../support/localCloud';

jest.setTimeout(10 * 60_000);

/** Commands that cannot run here, and why. */
const excepted: readonly [command: RegExp, why: string][] = [
  [/^az /, 'the Azure CLI needs PyPI; `make witnesses` runs it'],
  [/^make witnesses$/, 'needs PyPI'],
  [/^(make (check|test)|npm test -w localcloud)$/, 'run the tests, this one among them'],
  [/^make (bench|soak)\b/, 'measure for many minutes'],
  [/^(make azure|npx aks-wi azure-run( --remove)?)$/, 'needs an account of Azure'],
  [/^npx aks-wi azure-run --local$/, 'azureRun.test.ts runs it'],
  [
    /^npx aks-wi completion bash > ~/,
    'writes into the home folder; unit/cli/completion.test.ts uses the file',
  ],
  [/^npm ci$/, 'needs a registry'],
  [/^npm audit signatures$/, 'needs packages that are published'],
  [/^pulumi login$/, 'needs an account, or another state backend than that of the local cloud'],
  [
    /^pulumi (login 'azblob:|stack change-secrets-provider |cancel --stack prod)/,
    'need an account of Azure, or an update that was killed; engine/state.test.ts changes the provider',
  ],
  [/^pulumi stack init /, 'the local cloud makes its stacks itself'],
  [/^(pulumi config set|pulumi config set --secret|kubectl logs)$/, 'is named without what it needs'],
  [/^pulumi package add </, 'writes into the program of another project'],
  [
    /^pulumi (up|up --policy-pack policy|destroy( --run-program)?)$/,
    'is what `make up` does, or destroys what the other commands use',
  ],
  [/^pulumi up --refresh --stack dev$/, 'is `npx aks-wi pulumi up --refresh` for the stack of another page'],
  [
    /^pulumi up (--policy-pack policy )?--stack prod$/,
    'stacks.test.ts deploys this stack, with two more clusters',
  ],
  [/^pulumi up -v=9 /, 'is what the page warns of'],
  [/--no-local$/, 'asks Azure'],
  [/^npx aks-wi init --from-azure /, 'asks Azure; initFromAzure.test.ts runs it on the local cloud'],
  [/^npx aks-wi doctor$/, 'finds no account of Azure'],
  [/ --stack pod-identity /, 'need the stack of that page; podIdentity.test.ts runs them'],
  [/^helm uninstall aad-pod-identity$/, 'is for a release of somebody else'],
  [/^az aks update --disable-pod-identity$/, 'is for an add-on that no cluster here has'],
  [/ --stack revocation /, 'need the stack of that page; revocation.test.ts runs them'],
  [
    /^npx aks-wi (up|verify) --stack (access-windows|connections|dependencies|groups|identity-bindings|retention|revocation|rotation|service-principals|stored-credentials)\b/,
    'the suite that the page names deploys this example',
  ],
  [/^npx aks-wi up --stack hypershift /, 'makes two clusters; hostedClusters.test.ts runs it'],
  [
    /examples\/configurations\/reuse\/|^export LEGACY=|^npx aks-wi up --stack reuse|--kubeconfig "\$LEGACY"|"\$EDGE"/,
    'make two clusters, and use them; brownfield.test.ts does the same',
  ],
  [/^kubectl create .*(pull-secret|storefront)/, 'are for clusters of other stacks'],
  [/^hypershift install render /, 'needs the program of HyperShift'],
  [/^kubectl (describe|annotate) storageaccount /, 'is for a failed deletion, as in dependencies.test.ts'],
  [
    /^kubectl --namespace NAMESPACE annotate /,
    'is for a service account of somebody else, in another cluster',
  ],
  [/^kubectl annotate --overwrite namespace NAME /, 'is for a stack of another name'],
  [
    / hostedClusters --json |^kubectl patch hostedcluster | hosted-clusters --stack hypershift\b/,
    'need a hosted cluster; hostedClusters.test.ts makes some',
  ],
  [/^pulumi -C bootstrap /, 'is for the stack of another project; bootstrap.test.ts runs it'],
  [/^npx aks-wi pipeline (preview|deploy|run|promote) /, 'pipelines.test.ts runs them'],
  [/^npx aks-wi fleet (?!--help)/, 'need a stack with cells; fleets.test.ts and unit tests run them'],
  [/^tar czf /, 'packs the whole cache, which may lie elsewhere'],
  [/^git checkout Pulumi\.local\.yaml$/, 'the copy is no repository'],
];

/** Undoes what no other page may meet: a kubeconfig for a cluster that no stack here has, a revoked application. */
const undo: Readonly<Record<string, string>> = {
  "pulumi config set --secret --path 'kubeconfigs.edge' < edge.kubeconfig":
    "pulumi config rm --path 'kubeconfigs.edge'",
  "pulumi config set --path 'revoked.applications.orders' 'INC-1042'":
    "pulumi config rm --path 'revoked.applications.orders'",
};

const clusterOfPages = 'export KUBECONFIG=$(npx aks-wi cloud kubeconfig aks-1)';

/** Neither the tests nor the local cloud need these programs. */
const isMissing = (command: string) =>
  /^(kubectl|go) /.test(command) && spawnSync('which', [command.split(' ')[0] ?? '']).status !== 0;

/** A command with a placeholder. */
const isForm = ({ command }: DocumentedCommand) =>
  !command.includes('\n') && /[…[]|<\w|\s(?:S|F|NAME)\b/.test(command);
/** The same command under another name. */
const sameAs = ({ command }: DocumentedCommand) =>
  command.replace(/^npx aks-wi (?=pulumi )/, '').replace(/^npx aks-wi (?=(up|down|clean)$)/, 'make ');
const isExcepted = ({ command }: DocumentedCommand) => excepted.some(([pattern]) => pattern.test(command));
/** They end what the other commands use, one more than the one before. */
const ends = [/ destroy /, / cloud restore /, / cloud forget /, /^make down$/, /^make clean$/];
const endOf = ({ command }: DocumentedCommand) => ends.findIndex((end) => end.test(command));

// These pages set up what the others use.
const firstPages = ['README.md', 'docs/try.md', 'docs/local-cloud.md'];
// Each of its steps builds on the one before.
const tutorial = 'docs/tutorial.md';
const otherPages = documentationPages.filter((page) => ![...firstPages, tutorial].includes(page));
const all = [...firstPages, ...otherPages, tutorial].flatMap(commandsOf);
const runnable = all.filter((command) => !isForm(command) && !isExcepted(command));
const forms = all.filter((command) => isForm(command) && !isExcepted(command));

/** Each once: in its first block, else where prose names it first. */
const once = runnable.filter((command) => {
  const same = runnable.filter((other) => sameAs(other) === sameAs(command));
  return (
    (command.page === tutorial && command.inBlock && endOf(command) < 0) ||
    command === (same.find(({ inBlock }) => inBlock) ?? same[0])
  );
});
const stackFile = 'Pulumi.local.yaml';
const tutorialStart = once.find(({ page }) => page === tutorial)?.command;
const steps = [...once].sort((one, other) => endOf(one) - endOf(other));

const { state } = localCloud('documentation');
const copy = path.join(state, 'project');

/** npx finds the command where this does, and takes half a second; one step leaves it to npx itself. */
const npx = 'npx() { "node_modules/.bin/$1" "${@:2}"; }';
const byNpx = 'npx aks-wi --version';

/** Runs it in the shell of a reader who answers each question. */
function run(command: string, settings: readonly string[] = []): Promise<Finished> {
  const kubeconfig = command.startsWith('kubectl ') && settings.length === 0 ? [clusterOfPages] : [];
  const functions = ['pulumi() { npx aks-wi pulumi "$@"; }', ...(command === byNpx ? [] : [npx])];
  const script = [...functions, ...kubeconfig, ...settings, command].join('\n');
  return runProcess(
    ...(['bash', ['-e', '-c', script]] as const),
    { CI: 'true', YES: '1', PULUMI_SKIP_CONFIRMATIONS: 'true', AKS_WI_STATE: path.join(copy, '.state') },
    { cwd: copy, input: 'a value' },
  );
}

async function succeed(command: string, settings: readonly string[] = []): Promise<void> {
  const { code, stdout, stderr } = await run(command, settings);
  if (code !== 0) throw new Error(`${command} ended with ${code}\n${stdout}\n${stderr}`);
}

beforeAll(() => {
  mkdirSync(copy);
  const installed = 'node_modules';
  for (const name of readdirSync(projectRoot).filter(
    (entry) => !['.git', '.state', installed].includes(entry),
  ))
    cpSync(path.join(projectRoot, name), path.join(copy, name), {
      recursive: true,
      preserveTimestamps: true,
    });
  execFileSync('cp', ['-al', path.join(projectRoot, installed), copy]);
  rmSync(path.join(copy, installed, '.cache'), { recursive: true, force: true });
  // What is installed is not older.
  utimesSync(path.join(copy, 'package-lock.json'), 0, 0);
  writeFileSync(path.join(copy, 'edge.kubeconfig'), 'of the test');
});
afterAll(async () => {
  await succeed('make clean');
  rmSync(state, { recursive: true, force: true });
});

describe('the commands of the documentation', () => {
  it('are found', () => {
    expect(steps.length).toBeGreaterThan(40);
    expect(forms.length).toBeGreaterThan(8);
    expect(steps.map(({ command }) => command)).toContain(byNpx);
  });

  it.each(excepted)('are excepted for a reason that still holds: %s', (pattern) => {
    expect(all.filter(({ command }) => pattern.test(command))).not.toEqual([]);
  });
});

describe('a form of a command', () => {
  it.each(forms.map(({ page, command }) => [page, command]))(
    'in %s is one that exists: %s',
    async (_page, form) => {
      const [, words = ''] = /^(?:npx aks-wi )?((?:[a-z]+(?:-[a-z]+)* ?)*)/.exec(form) ?? [];
      const { code, stdout } = await run(`npx aks-wi ${words.trim()} --help`);

      expect(code).toBe(0);
      expect(words).not.toBe('');
      for (const [option] of form.matchAll(/--[a-z-]+/g)) expect(stdout).toContain(option);
    },
  );
});

describe('a command', () => {
  it.each(steps.map((step): [string, string, DocumentedCommand] => [step.page, step.command, step]))(
    'in %s runs: %s',
    async (page, command, { settings }) => {
      // The other pages add to the file, and the tutorial appends to its last key.
      if (page === tutorial && command === tutorialStart)
        cpSync(path.join(projectRoot, stackFile), path.join(copy, stackFile));
      if (!isMissing(command)) await succeed(command, settings);
      const back = undo[command];
      if (back !== undefined) await succeed(back);
    },
  );
});
