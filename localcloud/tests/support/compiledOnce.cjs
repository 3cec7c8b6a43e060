// Compiles each file once a process. jest gives every test file its own modules and compiles all of them again,
// most of them the same packages. A compiled script can run in every one of their contexts.
const vm = require('node:vm');

const { compileFunction } = vm;
const compiled = new Map();

vm.compileFunction = (code, parameters, options) => {
  // Without a context, the caller is not jest.
  if (options?.parsingContext === undefined) return compileFunction(code, parameters, options);
  const { filename, parsingContext } = options;
  let known = compiled.get(filename);
  if (known?.code !== code) {
    // On the line of the code itself, so that the lines and columns of errors stay.
    const head = `(function (${parameters.join(',')}) {`;
    // Without jest's callback for import(): swc turns our own into require, and no package that is loaded as it is has one.
    const script = new vm.Script(`${head}${code}\n})`, { filename, columnOffset: -head.length });
    known = { code, script };
    compiled.set(filename, known);
  }
  return known.script.runInContext(parsingContext);
};
