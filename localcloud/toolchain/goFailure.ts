import { UserError } from '../userError';
import { Interrupted } from './interrupted';
import type { GoOutput } from './goCommand';
import { goDirective } from './goMod';

/** Converts Go's output into an error with a cause and a hint. */
export function goFailure(title: string, output: GoOutput, goMod: string): UserError {
  if (output.interrupted) {
    return new Interrupted(
      `${title} was interrupted. Compiled packages are kept, and the next run continues from there.`,
    );
  }
  const explained = explain(output.stderr, goMod);
  return new UserError(
    explained === undefined
      ? `${title} failed:\n${output.stderr.split('\n').slice(-15).join('\n')}`
      : `${title}: ${explained}`,
  );
}

function explain(text: string, goMod: string): string | undefined {
  const module = culprit(text) ?? 'a module';
  if (/no space left on device/.test(text))
    return "the disk is full. Free about 8 GB for Go's caches (`go env GOCACHE GOMODCACHE`) and run again. Compiled packages are kept.";
  if (/toolchain not available|requires go >= |invalid GOTOOLCHAIN|download go\d/.test(text)) {
    const needed = goDirective(goMod);
    return (
      `the installed Go is too old and could not download Go ${needed} itself (${causeLine(text)}). ` +
      `Install Go ${needed} or newer from https://go.dev/dl; nothing else is needed.`
    );
  }
  if (/checksum mismatch|SECURITY ERROR|not a valid zip file/.test(text))
    return (
      `the checksum of ${module} differs from go.sum. A proxy or the login page of a network may have answered instead: ` +
      'check GOPROXY and GOSUMDB (`go env`), then `go clean -modcache` and run again.'
    );
  if (/signal: killed/.test(text))
    return 'the compiler was killed, probably because memory ran out (it needs 3 GB). Close other programs and run again. Compiled packages are kept.';
  if (refused.test(text))
    return (
      `${module} could not be downloaded (${causeLine(text)}). ` +
      'Check the network and GOPROXY (`go env GOPROXY`; behind a company proxy set it, or HTTPS_PROXY), then run again.'
    );
  return undefined;
}

const refused =
  /\b(?:40[0-9]|41\d|429|5\d\d) [A-Z][a-z]+|dial tcp|no such host|i\/o timeout|connection refused|TLS handshake|x509:|proxyconnect|module lookup disabled|missing go\.sum entry|server misbehaving|context deadline exceeded|(?:: |unexpected )EOF$/m;

/** Returns the module in Go's error, or the last one that Go started to download. */
function culprit(text: string): string | undefined {
  const named = /(?:^|[\s(])([\w.\-/~]+@v[\w.\-+]+)/m.exec(text)?.[1];
  const begun = [...text.matchAll(/^go: downloading (\S+) (v\S+)$/gm)].at(-1);
  return named ?? (begun === undefined ? undefined : `${begun[1]}@${begun[2]}`);
}

/** Returns the line of Go's output with the cause. */
function causeLine(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('go: downloading '));
  return (lines.find((line) => refused.test(line) || /go \d|go\d/.test(line)) ?? lines.at(-1) ?? '').trim();
}
