import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import type { Instance } from '../../daemon/instance';
import { installation } from '../../project';
import type { Toolchain } from '../../toolchain';
import { pluginVersions } from '../plugins';

/** Programs that may be unable to read data written by another version. */
const readers = ['etcd', 'kube-apiserver', 'pulumi'];

/** Returns the versions that decide whether this local cloud can read a state, by program or package. */
export async function versionsHere(
  { projectRoot }: Pick<Instance, 'projectRoot'>,
  toolchain: Pick<Toolchain, 'status'>,
): Promise<Record<string, string>> {
  const { name, version } = z
    .object({ name: z.string(), version: z.string() })
    .parse(JSON.parse(readFileSync(path.join(installation, 'package.json'), 'utf8')));
  const { tools } = await toolchain.status();
  const programs = tools.filter(({ tool }) => readers.includes(tool));
  return {
    [name]: version,
    ...Object.fromEntries(programs.map((program) => [program.tool, program.version])),
    ...pluginVersions(projectRoot),
  };
}
