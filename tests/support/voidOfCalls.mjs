// A lint rule: `void` discards the result of a call. typescript-eslint's no-meaningless-void-operator says so too;
// the one of oxlint accepts `void` before anything but a call without a result.
const wrappers = new Set([
  'ChainExpression',
  'TSAsExpression',
  'TSNonNullExpression',
  'TSSatisfiesExpression',
  'TSTypeAssertion',
]);

/** Returns the expression without what changes only its type. */
function discarded({ type, expression, expressions, ...node }) {
  if (wrappers.has(type)) return discarded(expression);
  if (type === 'SequenceExpression') return discarded(expressions.at(-1));
  return { type, ...node };
}

export default {
  meta: { name: 'void' },
  rules: {
    'of-calls': {
      create: (context) => ({
        UnaryExpression(node) {
          if (node.operator !== 'void') return;
          const { type, value } = discarded(node.argument);
          if (type === 'CallExpression' || type === 'AssignmentExpression' || value === 0) return;
          context.report({ node, message: 'Remove void, which only discards the result of a call.' });
        },
      }),
    },
  },
};
