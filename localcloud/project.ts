import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';

/** Folder of the installed local cloud, a checkout or a package: the parent of this folder, and of that of the bundles. */
export const installation = path.resolve(__dirname, '..');

const readIfThere = (name: string): string | undefined =>
  existsSync(path.join(installation, name)) ? readFileSync(path.join(installation, name), 'utf8') : undefined;

/** `localcloud.json`: names of the project in the messages, variables and files of the local cloud. */
const names = z
  .strictObject({
    /** How messages name the project's command. */
    command: z.string().default('localcloud'),
    /** The script that runs this command, relative to this file. Without it, commands run the script that runs now. */
    script: z.string().optional(),
    /** Prefix of environment variables. */
    variables: z.string().default('LOCALCLOUD'),
    /** Configuration key with the values of secrets by name. */
    secretValues: z.string().default('secretValues'),
    /** Folder of the policy pack with which stacks are deployed, relative to the project. */
    policyPack: z.string().optional(),
    /**
     * The project's own images, without tags, and the scripts that stand in for them, relative to this file. A script listens on
     * port 8080.
     */
    images: z.record(z.string(), z.string()).default({}),
    /** Folder of the project's own Helm charts, which the local cloud serves, relative to the project. */
    charts: z.string().default('charts'),
  })
  .parse(JSON.parse(readIfThere('localcloud.json') ?? '{}'));

/** The project's name in Pulumi.yaml, which is also its configuration namespace, and the name of its cache. */
export const PROJECT = /^name: *(\S+)/m.exec(readIfThere('Pulumi.yaml') ?? '')?.[1] ?? 'localcloud';

/** Configuration key with the values of secrets by name. */
export const SECRET_VALUES = `${PROJECT}:${names.secretValues}`;

/** How messages name the project's command. */
export const COMMAND = names.command;

/** The program of the project's command. */
export const PROGRAM = COMMAND.split(' ').at(-1) ?? COMMAND;

/** Absolute path of the script that runs the project's command, if it is known. */
export const SCRIPT = names.script === undefined ? undefined : path.join(installation, names.script);

/** A command line of the project, as messages quote it. */
export const commandLine = (args: string): string => `\`${COMMAND} ${args}\``;

/** Returns the name of an environment variable of the project, such as `STATE` with its prefix. */
export const variable = (name: string): string => `${names.variables}_${name}`;

/** Pulumi's option with the policy pack of the project. */
export const policyPack = names.policyPack === undefined ? [] : ['--policy-pack', names.policyPack];

/** The project's own images, and the absolute paths of the scripts that stand in for them. */
export const projectImages = Object.fromEntries(
  Object.entries(names.images).map(([image, script]) => [image, path.join(installation, script)]),
);

/** Folder of the project's own Helm charts, relative to the project. */
export const projectCharts = names.charts;
