import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runNode, TOOLS } from '../commands.ts';
import { objectClasses } from '../config.ts';
import { inRoot } from '../paths.ts';

/** RPC methods, stored entries and tables of all object classes. */
export interface ObjectContracts {
  /** Lines of the declarations that the compiler emits from src/object-contracts.ts. */
  declarations: string[];
  /** Statement of each table in the storage of an object, by name. */
  tables: Record<string, string>;
}

/** The released contracts, and the accepted breaking changes. */
export interface ReleasedContracts extends ObjectContracts {
  /** Members such as `TokenGateObject.rpc.admit` or `tables.events`, each with its reason. Cleared by every release. */
  accepted: Record<string, string>;
}

export const RELEASED_OBJECTS = 'released/objects.json';

/** Reads the released contracts; null before the first release. */
export function readReleasedContracts(): ReleasedContracts | null {
  const file = inRoot(RELEASED_OBJECTS);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ReleasedContracts) : null;
}

export function writeReleasedContracts(contracts: ObjectContracts): void {
  writeFileSync(inRoot(RELEASED_OBJECTS), `${JSON.stringify({ accepted: {}, ...contracts }, null, 1)}\n`);
}

/** The contracts of this checkout. */
export async function currentContracts(): Promise<ObjectContracts> {
  const declarations = await inFolder(async (folder) => {
    const files = ['object-contracts.ts', 'env.d.ts', 'secrets.d.ts', 'packages.d.ts'].map((name) => inRoot('src', name));
    await compile(folder, files, {
      singleThreaded: true,
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: inRoot('src'),
      outDir: folder,
    });
    return readFileSync(join(folder, 'object-contracts.d.ts'), 'utf8');
  });
  const name = /import\("[^"]*"\)\.\w+/.exec(declarations)?.[0];
  if (name !== undefined) throw new Error(`the declarations name a type, whose fields cannot be compared: ${name}`);
  return { declarations: declarations.trimEnd().split('\n'), tables: tablesIn(inRoot('src')) };
}

/** Statements that create tables in the storage of objects. */
function tablesIn(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const found = files.flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(/CREATE TABLE IF NOT EXISTS (\w+) [^;`']+/g)].map(
      ([statement, table = '']) => [table, statement.replaceAll(/\s+/g, ' ').trim()] as const,
    ),
  );
  return Object.fromEntries(found.sort(([one], [other]) => one.localeCompare(other)));
}

/** Breaking changes that are not accepted, accepted changes without a match, and classes without a contract. */
export async function unacceptedContractChanges(released: ReleasedContracts, current: ObjectContracts): Promise<string[]> {
  const changes = await breakingContractChanges(released, current);
  const declared = current.declarations.flatMap((line) => /^export declare const (\w+)/.exec(line)?.[1] ?? []);
  const idle = Object.keys(released.accepted).filter((member) => !changes.has(member));
  return [
    ...[...changes].filter(([member]) => !Object.hasOwn(released.accepted, member)).map(([member, text]) => `${member}: ${text}`),
    ...objectClasses().flatMap((name) => (declared.includes(name) ? [] : [`${name}: no contract in src/object-contracts.ts`])),
    ...idle.map((member) => `accepted change without a match: ${member}`),
  ];
}

/**
 * Changes by member with which a Worker or an object of one version would misread the other: a new Worker calls old objects and the reverse,
 * and an object reads what another version stored. So each released member must be assignable in both directions: methods, optional
 * arguments and optional fields may be added.
 */
async function breakingContractChanges(released: ObjectContracts, current: ObjectContracts): Promise<Map<string, string>> {
  const changes = new Map<string, string>();
  for (const [table, statement] of Object.entries(released.tables)) {
    if (current.tables[table] === undefined) changes.set(`tables.${table}`, 'removed or renamed');
    else if (current.tables[table] !== statement) changes.set(`tables.${table}`, 'changed: objects that exist keep the released table');
  }
  const present = new Set(membersOf(current.declarations));
  const kept: string[] = [];
  for (const member of membersOf(released.declarations)) {
    if (present.has(member)) kept.push(member);
    else changes.set(member, 'removed or renamed');
  }
  const lines = kept.flatMap((member, index) => {
    const type = member.replaceAll(/\.([^.]+)/g, '["$1"]').replace(/^(\w+)/, '(typeof MODULE.$1)');
    const [before, after] = ['released', 'current'].map((module) => type.replace('MODULE', module));
    return [
      `export const after${index}: ${before} = null as never as ${after};`,
      `export const before${index}: ${after} = null as never as ${before};`,
    ];
  });
  const output = await inFolder(async (folder) => {
    writeFileSync(join(folder, 'released.d.ts'), released.declarations.join('\n'));
    writeFileSync(join(folder, 'current.d.ts'), current.declarations.join('\n'));
    const imports = "import type * as released from './released.d.ts'; import type * as current from './current.d.ts';";
    writeFileSync(join(folder, 'compare.ts'), [imports, ...lines].join('\n'));
    return await compile(folder, [join(folder, 'compare.ts')], { noEmit: true });
  });
  for (const [, line, text] of output.matchAll(/compare\.ts\((\d+),\d+\): error \w+: (.+)/g)) {
    const index = Number(line) - 2;
    const member = kept[Math.floor(index / 2)] ?? 'contract';
    const reader = index % 2 === 0 ? 'the released version cannot use the new one' : 'this version cannot use the released one';
    if (!changes.has(member)) changes.set(member, `${reader}: ${(text ?? '').slice(0, 300)}`);
  }
  if (/error TS/.test(output) && changes.size === 0) throw new Error(output);
  return changes;
}

/** Paths of the RPC methods, stored keys and repeats, which the compiler indents by eight spaces. */
function membersOf(declarations: readonly string[]): string[] {
  const members: string[] = [];
  let object = '';
  let group = '';
  for (const line of declarations) {
    object = /^export declare const (\w+)/.exec(line)?.[1] ?? object;
    group = /^ {4}(rpc|stored|repeats): /.exec(line)?.[1] ?? group;
    const key = /^ {8}(?:"([^"]+)"|'([^']+)'|(\w+))\??: /
      .exec(line)
      ?.slice(1)
      .find((name) => name !== undefined);
    if (key) members.push(`${object}.${group}.${key}`);
  }
  return members;
}

/** Output of the compiler with the options of the checkout. */
async function compile(folder: string, files: readonly string[], options: Record<string, unknown>): Promise<string> {
  const types = ['@cloudflare/workers-types', '@types/node'].map((name) => inRoot('node_modules', name));
  const compilerOptions = { noEmit: false, noErrorTruncation: true, noUnusedLocals: false, types, ...options };
  const config = join(folder, 'tsconfig.json');
  writeFileSync(config, JSON.stringify({ extends: inRoot('tsconfig.json'), compilerOptions, include: [], files }));
  return (await runNode(TOOLS.tsc, ['-p', config, '--pretty', 'false'])).output;
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'objects-'));
  try {
    symlinkSync(inRoot('node_modules'), join(folder, 'node_modules'));
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
