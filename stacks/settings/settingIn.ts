import { fieldsOf } from '../../components/resource/fields';
import { fillFromVariables } from './fromVariables';
import { project } from './problem';
import { readYaml } from './yamlPlaces';

/**
 * Returns the value of a setting in the text of a stack file, or undefined if it is missing. A reference to a variable is
 * replaced by the variable's value.
 */
export function settingIn(stackFile: string, key: string): unknown {
  const config = fieldsOf(fieldsOf(readYaml(stackFile).content).config);
  const value = config[`${project}:${key}`] ?? config[key];
  return fillFromVariables('', { [key]: value }, process.env).input[key];
}
