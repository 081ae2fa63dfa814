type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type JsonObject = { [name: string]: Json };

const HEAD = `from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict, Union

# Annotations are never evaluated, so programs on Python 3.10 run without typing_extensions.
if sys.version_info >= (3, 11):
    from typing import NotRequired
elif TYPE_CHECKING:
    from typing_extensions import NotRequired
`;
const SIMPLE_TYPES: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
  array: 'list[Any]',
  object: 'dict[str, Any]',
};
const IDENTIFIER = /^[A-Za-z_]\w*$/;
/** Reserved words of Python that fields of the API have. */
const RESERVED = ['from', 'class', 'import', 'global', 'in', 'is', 'pass', 'async', 'None', 'True', 'False'];

const isObject = (value: Json | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A Python module with a TypedDict for every named object of a document, and an alias for every other named schema. */
export function pythonTypes(schemas: JsonObject): string {
  const names = Object.keys(schemas).sort();
  const definitions = names.map((name) => definitionOf(name, isObject(schemas[name]) ? schemas[name] : {}));
  const intro = `"""Types of the bodies of the Game Data API, by the name of their schema in the OpenAPI document.\n\nGenerated: do not edit.\n"""`;
  return `${intro}\n\n${HEAD}\n\n${definitions.join('\n\n')}\n`;
}

function definitionOf(name: string, schema: JsonObject): string {
  const { properties, description } = schema;
  if (!isObject(properties)) {
    const type = typeOf(schema);
    // A quoted alias may name a class that follows.
    return `${name}: TypeAlias = ${type.startsWith('Literal[') ? type : JSON.stringify(type)}`;
  }
  const required = Array.isArray(schema.required) ? schema.required : [];
  const fields = Object.entries(properties).map(([field, value]): [string, string] => {
    const type = typeOf(value);
    return [field, required.includes(field) ? type : `NotRequired[${type}]`];
  });
  if (fields.some(([field]) => !IDENTIFIER.test(field) || RESERVED.includes(field))) {
    const items = fields.map(([field, type]) => `    ${JSON.stringify(field)}: ${JSON.stringify(type)},`);
    return `${name} = TypedDict(\n    "${name}",\n    {\n${items.map((line) => `    ${line}`).join('\n')}\n    },\n)`;
  }
  const about = typeof description === 'string' ? [`    """${textOf(description)}"""`, ''] : [];
  const lines = [...about, ...fields.map(([field, type]) => `    ${field}: ${type}`)];
  return `class ${name}(TypedDict):\n${lines.length > 0 ? lines.join('\n') : '    pass'}\n`;
}

const textOf = (description: string) => description.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll(/\s+/g, ' ').trim();

function typeOf(schema: Json | undefined): string {
  if (!isObject(schema)) return 'Any';
  const { $ref: reference, enum: values, const: value, type, items, additionalProperties, properties } = schema;
  if (typeof reference === 'string') return reference.slice(reference.lastIndexOf('/') + 1);
  const options = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(options)) return unionOf(options.map(typeOf));
  if (Array.isArray(schema.allOf)) return schema.allOf.length === 1 ? typeOf(schema.allOf[0]) : 'dict[str, Any]';
  if (value !== undefined) return literalOf([value]);
  if (Array.isArray(values)) return literalOf(values);
  if (Array.isArray(type)) return unionOf(type.map((one) => typeOf({ ...schema, type: one })));
  if (type === 'array' && isObject(items)) return `list[${typeOf(items)}]`;
  if (type === 'object' && isObject(additionalProperties) && properties === undefined) return `dict[str, ${typeOf(additionalProperties)}]`;
  return SIMPLE_TYPES[String(type)] ?? 'Any';
}

function unionOf(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  if (distinct.includes('Any')) return 'Any';
  return distinct.length === 1 ? (distinct[0] ?? 'Any') : `Union[${distinct.join(', ')}]`;
}

function literalOf(values: readonly Json[]): string {
  const texts = values.map((value) =>
    value === null ? 'None' : value === true ? 'True' : value === false ? 'False' : JSON.stringify(value),
  );
  return values.some((value) => typeof value === 'number' && !Number.isInteger(value)) ? 'float' : `Literal[${texts.join(', ')}]`;
}
