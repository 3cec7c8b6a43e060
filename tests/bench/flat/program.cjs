// Registers the resources in resources.json, which lie beside this file: no components, no checks, no stack outputs.
const pulumi = require('@pulumi/pulumi');
const resources = require('./resources.json');

const own = { 'helm.sh/v3': 'helm/v3', 'index/provider': 'provider' };

/** Returns the class of a type, imported by its module. */
function classOf(type) {
  const [name, module, resource] = type.split(':');
  if (name === 'pulumi') return require(`@pulumi/${resource}`).Provider;
  try {
    return require(`@pulumi/${name}/${own[module] ?? module.replace(/^index\//, '')}`)[resource];
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND' || name !== 'kubernetes') throw error;
    return require('@pulumi/kubernetes/apiextensions').CustomResource;
  }
}

const classes = new Map();
const created = [];

/** Kubernetes objects are referenced by their name, all other resources by their ID. */
const outputOf = (resource) => resource.metadata?.name ?? resource.id;

function inputOf(value) {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(inputOf);
  if ('$output' in value) return outputOf(created[value.$output]);
  if ('$secret' in value) return pulumi.secret(value.$secret);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inputOf(inner)]));
}

for (const { type, name, inputs, options, dependsOn, provider, deletedWith } of resources) {
  if (!classes.has(type)) classes.set(type, classOf(type));
  const Resource = classes.get(type);
  created.push(
    new Resource(name, inputOf(inputs), {
      ...options,
      ...(dependsOn.length > 0 && { dependsOn: dependsOn.map((place) => created[place]) }),
      ...(provider !== undefined && { provider: created[provider] }),
      ...(deletedWith !== undefined && { deletedWith: created[deletedWith] }),
    }),
  );
}
