import { fieldsOf } from '../../components/resource/fields';
import { project } from './problem';
import { readYaml } from './yamlPlaces';

/** The value of a setting in the text of a stack file, as it stands there; undefined if it is not there. */
export function settingIn(stackFile: string, key: string): unknown {
  const config = fieldsOf(fieldsOf(readYaml(stackFile).content).config);
  return config[`${project}:${key}`] ?? config[key];
}
