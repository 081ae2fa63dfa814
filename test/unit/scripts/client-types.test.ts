import { describe, expect, it } from 'vitest';
import { type TypedDocument, typescriptTypes } from '../../../scripts/lib/clients/typescript-types.ts';

const text = { type: 'string' };

/** A document with one operation and these schemas. */
function documentWith(schemas: TypedDocument['components']['schemas']): TypedDocument {
  const json = (schema: object) => ({ 'application/json': { schema } });
  const id = { name: 'id', in: 'path', required: true, schema: text, description: 'Id of\nthe gem.' };
  const level = { name: 'level', in: 'query', required: false, schema: { type: 'integer' }, description: '' };
  const operation = {
    operationId: 'editGem',
    summary: 'Change a gem',
    parameters: [id, level],
    requestBody: { required: true, content: json({ $ref: '#/components/schemas/Gem' }) },
    responses: { 200: { content: json({ $ref: '#/components/schemas/Gem' }) }, 204: { content: {} }, default: {} },
  };
  return { paths: { '/gems/{id}': { patch: operation } }, components: { schemas } };
}

/** The type of a schema with that name, without tabs. */
function typeOf(schema: object): string {
  const [, type] = /\tGem: ([\s\S]*?);\n\t};\n\tresponses: never/.exec(typescriptTypes(documentWith({ Gem: schema }))) ?? [];
  return (type ?? '').replaceAll(/\s+/g, ' ');
}

describe('typescriptTypes', () => {
  it('declares paths and operations in the form of openapi-fetch', () => {
    const types = typescriptTypes(documentWith({ Gem: text }));
    expect(types).toContain(`	"/gems/{id}": {
		/** Change a gem */
		patch: operations["editGem"];
	};`);
    expect(types).toContain(`	editGem: {
		parameters: {
			query?: {
				level?: number;
			};
			path: {
				/** Id of the gem. */
				id: string;
			};
		};
		requestBody: {
			content: { "application/json": components["schemas"]["Gem"]; };
		};
		responses: {
			200: {
				headers: { [name: string]: unknown };
				content: { "application/json": components["schemas"]["Gem"]; };
			};
			204: {
				headers: { [name: string]: unknown };
				content?: never;
			};
			default: {`);
  });

  it.each([
    [{ type: 'string', enum: ['a', 'b'] }, '"a" | "b"'],
    [{ const: 1 }, '1'],
    [{ type: 'null' }, 'null'],
    [{}, 'unknown'],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'number | null'],
    [{ type: 'array', items: { anyOf: [text, { type: 'boolean' }] } }, '(string | boolean)[]'],
    [{ type: 'array' }, 'unknown[]'],
    [{ allOf: [{ $ref: '#/components/schemas/Gem' }] }, 'components["schemas"]["Gem"]'],
    [{ type: 'object' }, '{ [key: string]: unknown; }'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, '{ [key: string]: number; }'],
    [{ type: 'object', additionalProperties: false }, 'Record<string, never>'],
    [{ type: 'object', properties: { a: text }, required: ['a'] }, '{ a: string; }'],
    [{ type: 'object', properties: { 'a-b': text }, additionalProperties: {} }, '{ "a-b"?: string; } & { [key: string]: unknown; }'],
    [{ type: 'array', items: { type: 'object', properties: { a: text } } }, '{ a?: string; }[]'],
  ])('turns %j into %s', (schema, type) => {
    expect(typeOf(schema)).toBe(type);
  });

  it('throws for a keyword or a type that it cannot express', () => {
    expect(() => typeOf({ not: text })).toThrow('keyword not');
    expect(() => typeOf({ type: 'date' })).toThrow('no type for {"type":"date"}');
  });
});
