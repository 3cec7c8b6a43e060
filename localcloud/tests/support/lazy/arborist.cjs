// npm's reader of dependency trees, 300 files, loaded when it is used. Pulumi's SDK asks for it at once, but needs it
// only to serialize functions.
module.exports = {
  __esModule: true,
  get Arborist() {
    return require('../../../../node_modules/@npmcli/arborist/lib/index.js').Arborist;
  },
};
