// The TypeScript compiler, loaded when it is used. Pulumi's SDK asks for its 9 MB at once, but needs it only to
// serialize functions.
module.exports = new Proxy(
  {},
  { get: (_, name) => require('../../../../node_modules/typescript/lib/typescript.js')[name] },
);
