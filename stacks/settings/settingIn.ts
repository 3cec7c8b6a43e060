import { fieldsOf } from '../../components/resource/fields';
import { fillFromVariables } from './fromVariables';
import { project } from './problem';
import { readYaml } from './yamlPlaces';

/** The value of a setting in the text of a stack file, of a variable if it names one; undefined if it is not there. */
export function settingIn(stackFile: string, key: string): unknown {
  const config = fieldsOf(fieldsOf(readYaml(stackFile).content).config);
  const value = config[`${project}:${key}`] ?? config[key];
  return fillFromVariables('', { [key]: value }, process.env).input[key];
}
