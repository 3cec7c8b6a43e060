import { ArmError } from './errors';

/** Azure's limits (azure-docs `articles/azure-resource-manager/management/tag-resources.md`). */
const MAX_TAGS = 50;
const MAX_NAME = 512;
const MAX_VALUE = 256;
const MAX_NAME_IN_STORAGE = 128;

const refused = (code: string, message: string): ArmError => new ArmError(400, code, message);

/**
 * Refuses tags that Azure refuses. Source of the codes, and of the texts about characters and lengths: Azure/azure-powershell
 * `src/Migrate/Migrate.Autorest/custom/New-AzMigrateServerReplication.ps1`, which checks the resource manager's rules itself.
 * Source of the texts about count and empty names: the tests of storage accounts that Azure's command lines share
 * (`FTAccount111_CreateAccount_InvalidTags`).
 */
export function checkTags(tags: Readonly<Record<string, string>>): void {
  const names = Object.keys(tags);
  const control = /[<>%&\\?/\p{Cc}]/u;
  const wrong = names.filter((name) => control.test(name));
  if (wrong.length > 0) {
    throw refused(
      'InvalidTagNameCharacters',
      `The tag names '${wrong.join(', ')}' have reserved characters '<,>,%,&,\\,?,/' or control characters.`,
    );
  }
  if (names.length > MAX_TAGS) {
    throw refused(
      'InvalidTags',
      `Too many tags on the resource/resource group. Requested tag count - '${names.length}'. Maximum number of tags allowed - '${MAX_TAGS}'.`,
    );
  }
  for (const [name, value] of Object.entries(tags)) {
    // No source gives the code.
    if (name.trim() === '') {
      throw refused(
        'InvalidTagName',
        'The tag name must be non-null, non-empty and non-whitespace only. Please provide an actual value.',
      );
    }
    if (name.length > MAX_NAME) {
      throw refused(
        'InvalidTagName',
        `Tag key too large. Following tag name '${name}' exceeded the maximum length. Maximum allowed length for tag name - '${MAX_NAME}' characters.`,
      );
    }
    if (value.length > MAX_VALUE) {
      throw refused(
        'InvalidTagValueLength',
        `Tag value too large. Following tag value '${value}' exceeded the maximum length. Maximum allowed length for tag value - '${MAX_VALUE}' characters.`,
      );
    }
    // Source of the rule: azure-rest-api-specs `resources.json`, Tags_CreateOrUpdate; that it applies to resources too:
    // microsoft/vscode-azureresourcegroups #1164. No source gives code and text.
    const prefix = /^(microsoft|azure|windows)/i.exec(name)?.[0];
    if (prefix !== undefined) {
      throw refused('InvalidTagName', `The tag name '${name}' starts with the reserved prefix '${prefix}'.`);
    }
  }
  // Azure keeps one of the two (MicrosoftDocs/azure-docs #57888). No source says which, so the local cloud refuses both.
  const lower = names.map((name) => name.toLowerCase());
  const place = lower.findIndex((name, index) => lower.indexOf(name) < index);
  if (place >= 0) {
    throw refused(
      'InvalidTags',
      `Azure would keep one of the tags '${names[lower.indexOf(lower[place] ?? '')] ?? ''}' and '${names[place] ?? ''}', whose names differ only in case. The local cloud refuses them.`,
    );
  }
}

/** Refuses tag names that are too long for storage accounts. Source of the text: as above; no source gives the code. */
export function checkStorageTags(tags: Readonly<Record<string, string>> = {}): void {
  if (Object.keys(tags).every((name) => name.length <= MAX_NAME_IN_STORAGE)) return;
  throw refused('InvalidTagName', `Maximum allowed length of ${MAX_NAME_IN_STORAGE} for tag key exceeded.`);
}
