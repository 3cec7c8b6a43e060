import { revealAll, type Properties } from '../protocol';
import { textAt } from '../resources/propertyPath';
import type { InvokedFunction } from '../resources/provider';
import { findOne, type Filters } from './functions';
import { quoted } from './graph/client';
import { groupOutputs } from './group';
import { entityId } from './ids';
import { completeOutputs } from './outputs';
import { ownersOf } from './owners';
import { idsAt } from './references';
import type { Session } from './session';

/** Rules: internal/services/groups/group_data_source.go of hashicorp/terraform-provider-azuread. */
export function getGroup(session: () => Session): InvokedFunction {
  return async (args, fields, { signal }) => {
    const plainArguments = revealAll(args);
    const { includeTransitiveMembers = false, mailEnabled, securityEnabled, ...selection } = plainArguments;
    const settings: Properties = {
      ...(mailEnabled !== undefined && { mailEnabled }),
      ...(securityEnabled !== undefined && { securityEnabled }),
    };
    const group = await findOne(session(), 'groups', filters(settings), selection, signal);
    const outputs = groupOutputs(group);
    const wrong = Object.keys(settings).find((name) => settings[name] !== outputs[name]);
    if (wrong !== undefined) {
      throw new Error(
        `the group '${textAt(outputs, 'objectId')}' has ${wrong} ${JSON.stringify(outputs[wrong])}, not ${JSON.stringify(settings[wrong])}`,
      );
    }
    const id = entityId('groups', textAt(outputs, 'objectId'));
    const relation = includeTransitiveMembers === true ? 'transitiveMembers' : 'members';
    const members = await idsAt(session(), `${id}/${relation}`, signal);
    const owners = await ownersOf(session(), id, signal);
    return completeOutputs(fields.outputs, { ...plainArguments, ...outputs, id, members, owners });
  };
}

/** Returns the filters by argument, each with the conditions of the other settings. */
function filters(settings: Properties): Filters {
  const rest = Object.entries(settings).map(([name, value]) => ` and ${name} eq ${JSON.stringify(value)}`);
  const by = (name: string) => (value: string) => `${name} eq ${quoted(value)}${rest.join('')}`;
  return { displayName: by('displayName'), mailNickname: by('mailNickname') };
}
