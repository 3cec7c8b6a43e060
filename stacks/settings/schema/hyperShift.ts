import * as z from 'zod';
import { readerVariable, renderCommand } from '../../../components/hypershift/operatorManifests';
import { field, object, pattern, projectYaml } from './fields';

export const hyperShift = object('HyperShift on a management cluster. Default: somebody else installs it.', {
  install: object(
    `HyperShift's operator, which gets the identity that reads the vault (${readerVariable}).`,
    {
      manifests: field(
        z
          .array(
            pattern(
              projectYaml,
              'File with objects for Kubernetes.',
              'a path of a .yaml file in the project, such as ./hypershift/operator.yaml',
            ),
          )
          .min(1),
        {
          description: `Files that \`${renderCommand}\` wrote. Custom resource definitions stay on the cluster after they are removed from the files.`,
          allowed: 'a list of paths of .yaml files in the project',
          example: '[./hypershift/operator.yaml]',
        },
      ),
    },
  ),
});
