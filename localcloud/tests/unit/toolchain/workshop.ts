import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openToolchain } from '../../../toolchain';
import { UserError } from '../../../userError';
import type { BuildListener, Tool, Toolchain } from '../../../toolchain';
import { chartFiles } from '../../../toolchain/chartSources';
import { recipes, serviceOperatorGroups } from '../../../toolchain/tools';

export const repositoryRoot = path.resolve(__dirname, '../../../..');

/** Behaviour of the fake Go. Each field is a line of shell code that may exit. */
export interface FakeGo {
  /** Version that `go version` prints. @default go1.99.0 */
  version?: string;
  /** Run at the start of `go build`. */
  onBuild?: string;
  /** Run at the start of `go list`. */
  onList?: string;
  /** Shell code of a built "binary". @default it packages charts like helm, or prints its name */
  content?: string;
  /** Shell code of controller-gen. @default it writes one definition */
  generator?: string;
}

/** A fake helm: its "package" contains its arguments and the chart's files. */
const helm = String.raw`if [ "$1" = package ]; then
to=$4; shift; echo "$@" > "$to/chart.tgz"; cat "$1/Chart.yaml" "$1/templates/crd.yaml" "$1/values.yaml" >> "$to/chart.tgz" 2>/dev/null; echo "Successfully packaged chart and saved it to: $to/chart.tgz"
else echo "$0 $*"; fi`;

/** Writes the head of one definition, like the real generator, to the path in its last argument. */
const definitionGenerator = `for last; do :; done
cat > "\${last#output:crd:artifacts:config=}/storage.azure.com_things.yaml" <<'END'
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  annotations:
    controller-gen.kubebuilder.io/version: v0.20.1
  name: things.storage.azure.com
spec:
  group: storage.azure.com
END`;

/** A workshop of this test file in which everything is built. */
let built: Promise<Workshop> | undefined;
afterAll(async () => (await built)?.close());

/**
 * A checkout with the real pins, an empty cache, and a fake Go on PATH that writes scripts instead of
 * compiling. It does not prove that the pins compile.
 */
export class Workshop {
  private constructor(readonly root: string) {}

  static async open(go: FakeGo | 'without Go' = {}): Promise<Workshop> {
    const workshop = new Workshop(await mkdtemp(path.join(tmpdir(), 'toolchain-')));
    const toolchain = path.join('localcloud', 'toolchain', 'modules');
    await cp(path.join(repositoryRoot, toolchain), path.join(workshop.checkout, toolchain), {
      recursive: true,
    });
    await mkdir(workshop.path);
    await workshop.fillModuleCache();
    if (go !== 'without Go') await workshop.installGo(go);
    return workshop;
  }

  /** Fills the cache as a build does, which takes half a second: with a copy of one that was built once. */
  async fill(): Promise<void> {
    built ??= Workshop.open().then(async (workshop) => {
      await workshop.build();
      return workshop;
    });
    await cp((await built).cache, this.cache, { recursive: true });
  }

  get checkout(): string {
    return path.join(this.root, 'checkout');
  }
  get cache(): string {
    return path.join(this.root, 'cache');
  }
  get path(): string {
    return path.join(this.root, 'bin');
  }

  /** Folder of a module in Go's module cache. */
  fetched(module: string, ...below: string[]): string {
    return path.join(this.root, 'modcache', module, ...below);
  }

  /** Creates the files that are used from the vendors' modules: charts, definitions, and the operator's sources. */
  private async fillModuleCache(): Promise<void> {
    for (const { module, path: chart } of chartFiles.values()) {
      const place = this.fetched(module, chart);
      if (chart.endsWith('.tgz')) await write(place, path.basename(chart));
      else await write(path.join(place, 'templates', 'crd.yaml'), 'kind: Certificate');
    }
    const certManager = this.fetched('github.com/cert-manager/cert-manager/deploy/charts/cert-manager');
    await write(path.join(certManager, 'Chart.template.yaml'), 'prerelease: "{{IS_PRERELEASE}}"');
    const jobSet = this.fetched('sigs.k8s.io/jobset/charts/jobset');
    await write(path.join(jobSet, 'values.yaml'), 'image: { repository: a, tag: b, pullPolicy: c }\n');
    const operator = this.fetched('github.com/Azure/azure-service-operator/v2');
    for (const group of [...serviceOperatorGroups, 'network'])
      await mkdir(path.join(operator, 'api', group), { recursive: true });
    await write(path.join(operator, 'internal/controllers/controller_resources.go'), 'package controllers\n');
    await write(path.join(operator, 'cmd/controller/app/flags.go'), 'package app\n');
    for (const { files = [], copies = [], release } of Object.values(recipes)) {
      for (const file of files) await write(this.fetched(release, file), `# ${file}\n`);
      for (const { file, functions = [] } of copies) {
        const code = functions.map((name) => `func ${name}() {\n}\n`).join('\n');
        await write(this.fetched(release, file), `package ${path.basename(path.dirname(file))}\n\n${code}`);
      }
    }
  }

  module(name: string, file: string): string {
    return path.join(this.checkout, 'localcloud', 'toolchain', 'modules', name, file);
  }

  async installGo(go: FakeGo): Promise<void> {
    await this.install('program', go.content ?? helm, this.root);
    await this.install(
      'go',
      `[ "$1" = version ] && { echo "go version ${go.version ?? 'go1.99.0'} linux/amd64"; exit 0; }
echo "$GOTOOLCHAIN|$GOFLAGS|$GOOS|$*" >> '${this.root}/calls'
[ "$1" = env ] && { echo "${this.root}/modcache"; exit 0; }
if [ "$1" = list ]; then
  ${go.onList ?? ''}
  exit 0
fi
if [ "$1" = mod ]; then
  shift 3
  for module; do mkdir -p "${this.root}/modcache/$module"; printf '{"Path":"%s","Dir":"%s"}\\n' "$module" "${this.root}/modcache/$module"; done
  exit 0
fi
${go.onBuild ?? ''}
while [ $# -gt 0 ]; do [ "$1" = -o ] && { out=$2; shift 2; break; }; shift; done
for package; do
  case $package in
    go.etcd.io/*) name=server ;;
    .) name=$(sed -n 's/^module .*\\///p' go.mod) ;;
    *) name=$(basename "$package") ;;
  esac
  cp '${this.root}/program' "$out$name"
  # The generator of definitions is run by the build itself.
  [ $name = controller-gen ] && cp '${this.root}/generator' "$out$name"
done
true`,
    );
    await this.install('generator', go.generator ?? definitionGenerator, this.root);
  }

  async install(name: string, script: string, folder = this.path): Promise<string> {
    const file = path.join(folder, name);
    await mkdir(folder, { recursive: true });
    await writeFile(file, `#!/bin/sh\n${script}\n`);
    await chmod(file, 0o755);
    return file;
  }

  /** A toolchain, as another process would open it. */
  toolchain(env: NodeJS.ProcessEnv = {}, cacheDir = this.cache): Toolchain {
    return openToolchain({
      projectRoot: this.checkout,
      cacheDir,
      stateRoot: path.join(this.root, 'state'),
      env: { PATH: `${this.path}:/usr/bin:/bin`, HOME: this.root, ...env },
    });
  }

  /** Builds what is missing, as `make test` does. */
  async build(env: NodeJS.ProcessEnv = {}, listener?: Partial<BuildListener>): Promise<void> {
    await this.toolchain(env).build(listener, { tests: true });
  }

  /** Builds what is missing, and returns the path of one tool. */
  async built(tool: Tool): Promise<string> {
    await this.build();
    return this.toolchain().require(tool);
  }

  /** The calls of `go build`, in the format of `goCalls`. */
  async builds(): Promise<string[]> {
    return (await this.goCalls()).filter((call) => call.split('|')[3]?.startsWith('build '));
  }

  /** A line `GOTOOLCHAIN|GOFLAGS|GOOS|arguments` for each effective call of Go. */
  async goCalls(): Promise<string[]> {
    const text = await readFile(path.join(this.root, 'calls'), 'utf8').catch(() => '');
    return text.split('\n').filter((line) => line !== '');
  }

  async close(): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}

/** The error of a rejected promise; any other outcome fails the test. */
export async function failureOf(promise: Promise<unknown>): Promise<UserError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof UserError) return error;
  throw new Error('expected a UserError', { cause: error });
}
