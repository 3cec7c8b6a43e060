import type { ProgramInfo } from '@pulumi/pulumi/proto/language_pb';

/** The supported `runtime.options` of a Pulumi.yaml. */
export interface RuntimeOptions {
  /** @default true */
  typescript: boolean;
  /** Options for Node itself. */
  nodeArguments: string[];
  /** Path of another tsconfig.json. */
  tsconfig?: string;
}

const known = ['typescript', 'nodeargs', 'tsconfig', 'packagemanager'];

export function runtimeOptions(info: ProgramInfo | undefined): RuntimeOptions {
  const options = info?.getOptions()?.toJavaScript() ?? {};
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) {
      throw new Error(`Pulumi.yaml: runtime.options.${name} is not known; allowed: ${known.join(', ')}.`);
    }
  }
  const { typescript, nodeargs, tsconfig } = options;
  return {
    typescript: typescript !== false && typescript !== 'false',
    nodeArguments: typeof nodeargs === 'string' ? nodeargs.split(/\s+/).filter((word) => word !== '') : [],
    ...(typeof tsconfig === 'string' ? { tsconfig } : {}),
  };
}
