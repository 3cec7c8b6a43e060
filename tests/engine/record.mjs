// Records a deployed stack, for recordedStates.test.ts: what the program made at one commit, which the program of
// today must still recognise as its own.
//
//   node tests/engine/record.mjs <name> [<commit>] [<stack file of that commit>]
//
// Deploys the commit (default HEAD) with its own commands to a local cloud of its own, and writes to
// recorded/<name>/ the stack's state, its configuration with its release files, and what the resource manager answers
// about what is in it and what it uses. Nothing secret is kept: values and keys are replaced by texts that say so.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { format } from 'prettier';
import { parse, stringify } from 'yaml';

const self = fileURLToPath(import.meta.url);
const root = path.resolve(path.dirname(self), '..', '..');
/** Keys of the configuration that are encrypted. */
const encrypted = ['secretValues', 'kubeconfigs'];
/** Where nobody listens: no cluster of this machine may be met by chance. */
const noServer = 'https://127.0.0.1:1';

/** Versions to ask for what exists already: those of azure-native. */
const versions = {
  resourceGroups: '2024-03-01',
  workspaces: '2023-09-01',
  vaults: '2024-11-01',
  userAssignedIdentities: '2023-01-31',
  managedClusters: '2025-09-01',
};

if (process.argv[2] === '--ask') {
  process.stdout.write(JSON.stringify(await ask(await json(process.stdin))));
} else {
  const [name, commit = 'HEAD', source = 'Pulumi.local.yaml'] = process.argv.slice(2);
  if (name === undefined) {
    console.error('usage: node tests/engine/record.mjs <name> [<commit>] [<stack file of that commit>]');
    process.exit(2);
  }
  await record({ name, commit, source });
}

async function record({ name, commit, source }) {
  const folder = mkdtempSync(path.join(tmpdir(), 'record-'));
  const target = path.join(root, 'tests', 'engine', 'recorded', name);
  const stackFile = path.basename(source);
  const stack = stackFile.split('.')[1];
  const options = { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28, env: environment(folder) };
  const command = (...args) =>
    execFileSync(process.execPath, ['cli/bin.mjs', ...args], {
      ...options,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  try {
    const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 1 << 28 });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
    symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    mkdirSync(target, { recursive: true });
    const written = withReleases(parse(readFileSync(path.join(folder, source), 'utf8')), { folder, target });
    writeFileSync(path.join(folder, stackFile), stringify(written));
    console.log(command('up', '--stack', stack, '--stack-file', stackFile));

    const onStack = ['pulumi', '--stack', stack];
    const state = JSON.parse(command(...onStack, 'stack', 'export', '--show-secrets'));
    const { config } = written;
    for (const key of encrypted) {
      const kept = spawnSync(
        process.execPath,
        ['cli/bin.mjs', ...onStack, 'config', 'get', key, '--json'],
        options,
      );
      if (kept.status === 0)
        config[`aks-workload-identity:${key}`] = JSON.parse(JSON.parse(kept.stdout).value);
    }
    const answers = JSON.parse(
      execFileSync(process.execPath, [self, '--ask'], {
        ...options,
        input: JSON.stringify({ state, config }),
        env: { ...process.env, ...JSON.parse(command('cloud', 'env', '--json')) },
      }),
    );
    const redacted = redactor(config['aks-workload-identity:secretValues']);
    await write(path.join(target, 'state.json'), JSON.stringify(redacted(withoutPlaces(state))));
    await write(path.join(target, 'answers.json'), JSON.stringify(redacted(answers)));
    await write(path.join(target, stackFile), stringify({ config: redacted(config) }));
  } finally {
    spawnSync(process.execPath, ['cli/bin.mjs', 'clean', '--yes'], options);
    rmSync(folder, { recursive: true, force: true });
  }
}

function environment(folder) {
  return { ...process.env, AKS_WI_STATE: path.join(folder, '.state') };
}

/** Release files change with the examples: the record has its own. */
function withReleases(file, { folder, target }) {
  for (const application of file.config['aks-workload-identity:applications'] ?? []) {
    if (application.release === undefined) continue;
    const kept = path.join(target, path.basename(application.release));
    copyFileSync(path.join(folder, application.release), kept);
    application.release = `./${path.relative(root, kept)}`;
    mkdirSync(path.dirname(path.join(folder, application.release)), { recursive: true });
    copyFileSync(kept, path.join(folder, application.release));
  }
  return file;
}

async function write(file, text) {
  writeFileSync(file, await format(text, { filepath: file, singleQuote: true, printWidth: 110 }));
}

/** Without where in the sources, when and by which version each resource was made: the preview needs none of it. */
function withoutPlaces(state) {
  const { version, deployment } = state;
  const resources = deployment.resources.map(
    ({ sourcePosition: _position, stackTrace: _trace, created: _created, modified: _modified, ...rest }) =>
      rest,
  );
  return { version, deployment: { resources } };
}

/** Replaces secret values, keys of kubeconfigs and addresses of API servers, at any depth. */
function redactor(values) {
  const names = new Map(Object.entries(values).map(([name, value]) => [value, `value of ${name}`]));
  const text = (value) => {
    if (names.has(value)) return names.get(value);
    if (value.startsWith('apiVersion: v1') && value.includes('clusters:')) {
      return value
        .replace(
          /((?:certificate-authority|client-certificate|client-key)-data|token): .*/g,
          '$1: bm90IGEga2V5',
        )
        .replace(/https:\/\/127\.0\.0\.1:\d+/g, noServer);
    }
    return value;
  };
  const any = (value, key) => {
    if (typeof value === 'string') {
      // A secret in the state is its value as JSON.
      if (key === 'plaintext') return JSON.stringify(any(JSON.parse(value)));
      const decoded = Buffer.from(value, 'base64').toString('utf8');
      if (decoded.startsWith('apiVersion: v1')) return Buffer.from(text(decoded)).toString('base64');
      return text(value);
    }
    if (Array.isArray(value)) return value.map((item) => any(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, any(item, name)]));
  };
  return any;
}

/** What the resource manager answers about all in the state and all that exists already: `<method> <path>` → body. */
async function ask({ state, config }) {
  const {
    AZURE_AUTHORITY_HOST,
    AZURE_RESOURCE_MANAGER_ENDPOINT: endpoint,
    AZURE_RESOURCE_MANAGER_AUDIENCE,
  } = process.env;
  const { AZURE_TENANT_ID, AZURE_CLIENT_ID, AZURE_CLIENT_SECRET } = process.env;
  const grant = await fetch(`${AZURE_AUTHORITY_HOST}${AZURE_TENANT_ID}/oauth2/v2.0/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: AZURE_CLIENT_ID,
      client_secret: AZURE_CLIENT_SECRET,
      scope: `${AZURE_RESOURCE_MANAGER_AUDIENCE}.default`,
    }),
  });
  const authorization = `Bearer ${(await grant.json()).access_token}`;
  const answers = {};
  const add = async (method, id, version) => {
    const response = await fetch(`${endpoint}${id}?api-version=${version}`, {
      method,
      headers: { authorization },
    });
    if (response.ok) answers[`${method} ${id.toLowerCase()}`] = await response.json();
  };
  const addCredentials = async (id, version) => {
    for (const call of ['listClusterAdminCredential', 'listClusterUserCredential']) {
      await add('POST', `${id}/${call}`, version);
    }
  };
  for (const { type, id, outputs } of state.deployment.resources) {
    const version = outputs?.azureApiVersion;
    if (!id?.startsWith('/subscriptions/') || typeof version !== 'string') continue;
    await add('GET', id, version);
    if (type.endsWith(':ManagedCluster')) await addCredentials(id, version);
  }
  const secrets = (config['aks-workload-identity:applications'] ?? []).flatMap(
    (application) => application.secrets ?? [],
  );
  for (const id of idsIn(config)) {
    const type = id.split('/').at(-2);
    const version = versions[type];
    if (version === undefined) continue;
    await add('GET', id, version);
    if (type === 'managedClusters') await addCredentials(id, version);
    if (type === 'userAssignedIdentities') await add('GET', `${id}/federatedIdentityCredentials`, version);
    if (type !== 'vaults') continue;
    for (const secret of secrets) await add('GET', `${id}/secrets/${secret}`, version);
  }
  return answers;
}

/** Every resource id in a configuration, each once. */
function idsIn(value) {
  if (typeof value === 'string') return value.startsWith('/subscriptions/') ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return [...new Set(Object.values(value).flatMap(idsIn))];
}
