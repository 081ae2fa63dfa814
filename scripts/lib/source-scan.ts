import { parseAst } from 'vitest/node';

export interface ImportStatement {
  specifier: string;
  /** Names as the other module exports them; `*` for all of it, `default` for its default. */
  names: string[];
  /** Whether nothing but types is imported. */
  isTypeOnly: boolean;
  line: number;
}

/** A use of the machine's clock or of a random source nobody handed in. */
export interface AmbientUse {
  /** As written: `Date.now`, `new Date()`, `Math.random`. */
  what: string;
  line: number;
}

export interface Scan {
  imports: ImportStatement[];
  ambientUses: AmbientUse[];
}

interface Node {
  type: string;
  start: number;
  [key: string]: unknown;
}

/** TypeScript 7 has no stable parser to call; the one that vitest brings along reads TypeScript too. */
export function scanSource(text: string, lang: 'ts' | 'tsx' = 'ts'): Scan {
  const scan: Scan = { imports: [], ambientUses: [] };
  const lineOf = (node: Node) => text.slice(0, node.start).split('\n').length;
  visit(parseAst(text, { lang }) as unknown as Node, (node) => {
    const statement = importIn(node);
    if (statement) scan.imports.push({ ...statement, line: lineOf(node) });
    const what = ambientUseIn(node);
    if (what !== null) scan.ambientUses.push({ what, line: lineOf(node) });
  });
  return scan;
}

function visit(node: Node, see: (node: Node) => void): void {
  see(node);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) visit(child, see);
    }
  }
}

function importIn(node: Node): Omit<ImportStatement, 'line'> | null {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
      return fromDeclaration(node);
    case 'ExportAllDeclaration':
      return fromSource(node.source, ['*'], node.exportKind === 'type');
    case 'ImportExpression':
      return fromSource(node.source, ['*'], false);
    case 'TSImportType':
      return fromSource(node.source ?? node.argument, ['*'], true);
    default:
      return null;
  }
}

function fromDeclaration(node: Node): Omit<ImportStatement, 'line'> | null {
  const specifiers = (node.specifiers ?? []) as Node[];
  const kindKey = node.type === 'ImportDeclaration' ? 'importKind' : 'exportKind';
  const isTypeOnly = node[kindKey] === 'type' || (specifiers.length > 0 && specifiers.every((one) => one[kindKey] === 'type'));
  return fromSource(node.source, specifiers.map(nameOf), isTypeOnly);
}

function nameOf(specifier: Node): string {
  if (specifier.type === 'ImportNamespaceSpecifier') return '*';
  if (specifier.type === 'ImportDefaultSpecifier') return 'default';
  const named = (specifier.imported ?? specifier.local) as Node;
  return String(named.name ?? named.value);
}

function fromSource(source: unknown, names: string[], isTypeOnly: boolean): Omit<ImportStatement, 'line'> | null {
  const specifier = isNode(source) ? (isNode(source.literal) ? source.literal.value : source.value) : undefined;
  return typeof specifier === 'string' ? { specifier, names, isTypeOnly } : null;
}

function ambientUseIn(node: Node): string | null {
  if (node.type === 'MemberExpression' && isIdentifier(node.object, 'Date') && isIdentifier(node.property, 'now')) return 'Date.now';
  if (node.type === 'MemberExpression' && isIdentifier(node.object, 'Math') && isIdentifier(node.property, 'random')) return 'Math.random';
  const callsDate = (node.type === 'NewExpression' || node.type === 'CallExpression') && isIdentifier(node.callee, 'Date');
  if (!callsDate || (node.arguments as unknown[]).length > 0) return null;
  return node.type === 'NewExpression' ? 'new Date()' : 'Date()';
}

function isIdentifier(value: unknown, name: string): boolean {
  return isNode(value) && value.type === 'Identifier' && value.name === name;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}
