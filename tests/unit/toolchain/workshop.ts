import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ToolchainError, openToolchain } from '../../../localcloud/toolchain';
import type { Toolchain, ToolchainEvent } from '../../../localcloud/toolchain';

export const repositoryRoot = path.resolve(__dirname, '../../..');

/** How the stand-in for Go behaves; each is a line of shell that may end the script. */
export interface FakeGo {
  /** What `go version` says. @default go1.99.0 */
  version?: string;
  /** Run when `go build` begins. */
  onBuild?: string;
  /** What a built "binary" consists of. @default a script that prints its name */
  content?: string;
  /** What controller-gen does, as shell. @default it writes one definition */
  generator?: string;
}

/** Writes one definition, as far as the real generator's head goes, where its last argument says. */
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

/**
 * A checkout with the real pins, an empty cache, and a Go on PATH that writes scripts instead of compiling. What
 * it does not prove: that the pins compile.
 */
export class Workshop {
  readonly events: ToolchainEvent[] = [];

  private constructor(readonly root: string) {}

  static async open(go: FakeGo | 'without Go' = {}): Promise<Workshop> {
    const workshop = new Workshop(await mkdtemp(path.join(tmpdir(), 'toolchain-')));
    const toolchain = path.join('localcloud', 'toolchain', 'modules');
    await cp(path.join(repositoryRoot, toolchain), path.join(workshop.checkout, toolchain), {
      recursive: true,
    });
    await mkdir(path.join(workshop.checkout, 'dist'));
    await writeFile(workshop.bundle, '// language host');
    await mkdir(workshop.path);
    if (go !== 'without Go') await workshop.installGo(go);
    return workshop;
  }

  get checkout(): string {
    return path.join(this.root, 'checkout');
  }
  get bundle(): string {
    return path.join(this.checkout, 'dist', 'pulumi-language-nodejs.cjs');
  }
  get cache(): string {
    return path.join(this.root, 'cache');
  }
  get path(): string {
    return path.join(this.root, 'bin');
  }

  module(name: string, file: string): string {
    return path.join(this.checkout, 'localcloud', 'toolchain', 'modules', name, file);
  }

  async installGo(go: FakeGo): Promise<void> {
    const content = go.content ?? '#!/bin/sh\\necho "$0 $*"';
    await this.install(
      'go',
      `[ "$1" = version ] && { echo "go version ${go.version ?? 'go1.99.0'} linux/amd64"; exit 0; }
echo "$GOTOOLCHAIN|$GOFLAGS|$GOOS|$*" >> '${this.root}/calls'
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
  printf '${content}' > "$out$name"; chmod 755 "$out$name"
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

  /** A toolchain as a process of its own would open it. */
  toolchain(env: NodeJS.ProcessEnv = {}): Toolchain {
    return openToolchain({
      projectRoot: this.checkout,
      cacheDir: this.cache,
      onProgress: (event) => this.events.push(event),
      env: { PATH: `${this.path}:/usr/bin:/bin`, HOME: this.root, ...env },
    });
  }

  /** One line `GOTOOLCHAIN|GOFLAGS|GOOS|arguments` for each call of Go that did something. */
  async goCalls(): Promise<string[]> {
    const text = await readFile(path.join(this.root, 'calls'), 'utf8').catch(() => '');
    return text.split('\n').filter((line) => line !== '');
  }

  async close(): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }
}

/** The error with which a promise rejects; any other outcome fails the test. */
export async function failureOf(promise: Promise<unknown>): Promise<ToolchainError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ToolchainError) return error;
  throw new Error('expected a ToolchainError', { cause: error });
}
