import { writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { clock } from '../../stacks/settings/clock';
import { example } from '../example';
import { readStackOutputs } from '../stackOutputs';
import { hostedClustersPicture } from './picture';
import { renderHostedClusters } from './table';
import { hostedClusterViews } from './view';
import { print } from '../print';
import { inJson } from '../json';
import { exitCodes } from '../exitCodes';

interface HostedClustersFlags {
  stack: string;
  json: boolean;
  svg?: string;
}

export function hostedClustersCommand(): Command {
  return new Command('hosted-clusters')
    .requiredOption('--stack <name>', 'name of the stack')
    .option(
      '--json',
      'print JSON: {"hostedClusters":[{"name","renewAfter","renewalDue","components","nodes",…}]}',
      false,
    )
    .option('--svg <file>', 'also write a picture to this SVG file')
    .addHelpText('after', example('hosted-clusters --stack prod --svg hosted-clusters.svg'))
    .action(showHostedClusters);
}

async function showHostedClusters({ stack: name, json, svg }: HostedClustersFlags): Promise<void> {
  const now = clock(process.env);
  const hostedClusters = hostedClusterViews(await readStackOutputs({ name, cwd: process.cwd() }), now);
  if (svg !== undefined) writeFileSync(svg, hostedClustersPicture(name, hostedClusters, now));
  print(json ? inJson({ hostedClusters }) : renderHostedClusters(name, hostedClusters));
  if (hostedClusters.some(({ components }) => components.some(({ expired }) => expired)))
    process.exitCode = exitCodes['hosted-clusters'].failed;
}
