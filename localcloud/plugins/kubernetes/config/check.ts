import type { CheckFailure, Properties } from '../../protocol';
import { isUnknown, reveal } from '../../protocol';
import { activeCluster, kubeconfigContents } from '../client/kubeconfig';
import type { Settings } from './settings';
import { readSettings, settingNames } from './settings';
import { reason } from '../../../logger';

/** Inputs that the engine adds to every provider. */
const engineInputs = ['version', 'pluginDownloadURL', 'pluginChecksums', 'parameterization', '__internal'];

/** Returns errors in the provider's inputs. */
export function checkSettings(inputs: Properties): CheckFailure[] {
  const failures: CheckFailure[] = Object.keys(inputs)
    .filter((name) => !settingNames.includes(name) && !engineInputs.includes(name))
    .map((property) => ({
      property,
      reason: `the provider has no input '${property}'; allowed are ${settingNames.join(', ')}`,
    }));
  let settings: Settings;
  try {
    settings = readSettings(inputs);
  } catch (error) {
    return [...failures, { property: '', reason: reason(error) }];
  }
  if (settings.renderYamlToDirectory !== undefined || settings.alwaysRender === true) {
    failures.push({
      property: 'renderYamlToDirectory',
      reason: 'the local cloud does not support rendering to files; remove the input for this stack',
    });
  }
  if (settings.enableServerSideApply === false) {
    failures.push({
      property: 'enableServerSideApply',
      reason: 'the local cloud supports server-side apply only; remove the input or set it to true',
    });
  }
  return [...failures, ...kubeconfigFailures(inputs, settings)];
}

function kubeconfigFailures(inputs: Properties, settings: Settings): CheckFailure[] {
  const kubeconfig = reveal(inputs['kubeconfig'] ?? null);
  if (settings.pending || isUnknown(kubeconfig) || settings.kubeconfig === undefined) return [];
  if (activeCluster(kubeconfigContents(settings.kubeconfig), settings)) return [];
  const reason =
    'must be the contents or the path of a kubeconfig whose current context names a cluster with a server';
  return [{ property: 'kubeconfig', reason: `kubeconfig ${reason}` }];
}
