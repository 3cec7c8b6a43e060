import * as ts from 'typescript';

/** An element of an SVG document. */
export interface SvgElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly SvgElement[];
  /** Its text, without that of the elements in it. */
  readonly text: string;
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };

/**
 * Reads an SVG document, and throws where it is not well-formed. JSX is XML but for braces, which the styles have, and
 * entities, which are checked here.
 */
export function parseSvg(document: string): SvgElement {
  const source = document.replace(/<style>[^<]*<\/style>/, '<style></style>');
  const unknown = source.match(/&(?!(lt|gt|amp|quot);)/);
  if (unknown !== null) throw new Error(`an & that is not escaped: ${source.slice(unknown.index)}`);
  const { diagnostics = [] } = ts.transpileModule(source, {
    reportDiagnostics: true,
    fileName: 'picture.tsx',
    compilerOptions: { jsx: ts.JsxEmit.Preserve },
  });
  for (const { messageText } of diagnostics)
    throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
  const file = ts.createSourceFile('picture.tsx', source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const [statement] = file.statements;
  if (file.statements.length !== 1 || statement === undefined || !ts.isExpressionStatement(statement))
    throw new Error('not one element');
  return elementOf(statement.expression);
}

function elementOf(node: ts.Node): SvgElement {
  if (!ts.isJsxElement(node) && !ts.isJsxSelfClosingElement(node))
    throw new Error(`not an element: ${node.getText()}`);
  const { tagName, attributes } = ts.isJsxElement(node) ? node.openingElement : node;
  const children = ts.isJsxElement(node) ? node.children : [];
  return {
    name: tagName.getText(),
    attributes: Object.fromEntries(
      attributes.properties.map((property) => {
        if (
          !ts.isJsxAttribute(property) ||
          property.initializer === undefined ||
          !ts.isStringLiteral(property.initializer)
        )
          throw new Error(`not an attribute: ${property.getText()}`);
        return [property.name.getText(), unescaped(property.initializer.text)];
      }),
    ),
    children: children.filter((child) => !ts.isJsxText(child)).map(elementOf),
    text: children.flatMap((child) => (ts.isJsxText(child) ? [unescaped(child.text)] : [])).join(''),
  };
}

function unescaped(text: string): string {
  return text.replace(/&(\w+);/g, (_, name: string) => entities[name] ?? '');
}

/** A rectangle, or the room of a line of text, in the coordinates of the document. */
export interface Area {
  readonly element: SvgElement;
  readonly x: number;
  readonly y: number;
  readonly right: number;
  readonly bottom: number;
}

/** The rectangles and the lines of text in an element, at any depth. */
export function areasOf(element: SvgElement, [dx, dy] = [0, 0]): Area[] {
  return element.children.flatMap((child): Area[] => {
    const number = (name: string) => Number(child.attributes[name] ?? '0');
    if (child.name === 'g') {
      const [, x = '', y = ''] = /^translate\((\S+) (\S+)\)$/.exec(child.attributes.transform ?? '') ?? [];
      return areasOf(child, [dx + Number(x), dy + Number(y)]);
    }
    const [x, y] = [number('x') + dx, number('y') + dy];
    if (child.name === 'rect')
      return [{ element: child, x, y, right: x + number('width'), bottom: y + number('height') }];
    if (child.name !== 'text') return [];
    // Above and below its base.
    const size = number('font-size');
    return [{ element: child, x, y: y - size, right: x + number('textLength'), bottom: y + size / 4 }];
  });
}

export function contains(one: Area, other: Area): boolean {
  return one.x <= other.x && other.right <= one.right && one.y <= other.y && other.bottom <= one.bottom;
}

export function overlap(one: Area, other: Area): boolean {
  return one.x < other.right && other.x < one.right && one.y < other.bottom && other.y < one.bottom;
}
