// Gives scripts access to the local state in few calls; wrangler's proxy needs one per statement.

const PARALLEL_PUTS = 16;

/** Runs statements in one transaction. Returns the rows of each. */
async function runStatements(request, env) {
  const { statements, shape } = await request.json();
  const prepared = statements.map(({ sql, params }) => env.DB.prepare(sql).bind(...params));
  if (shape === 'raw') return Response.json(await prepared[0].raw());
  const results = await env.DB.batch(prepared);
  return Response.json(results.map(({ results: rows, success, meta }) => ({ results: rows, success, meta })));
}

/** Stores objects. The body is one line of JSON with keys and sizes, followed by the concatenated bytes. Returns the new keys. */
async function putObjects(request, env) {
  const body = new Uint8Array(await request.arrayBuffer());
  const headerEnd = body.indexOf(10);
  const objects = JSON.parse(new TextDecoder().decode(body.subarray(0, headerEnd)));
  let offset = headerEnd + 1;
  for (const object of objects) {
    object.bytes = body.slice(offset, offset + object.size);
    offset += object.size;
  }
  const created = new Array(objects.length);
  const queue = objects.entries();
  const lane = async () => {
    for (const [index, { key, sha256, bytes }] of queue) {
      created[index] = (await env.ARCHIVE.put(key, bytes, { sha256, onlyIf: { etagDoesNotMatch: '*' } })) !== null;
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_PUTS }, lane));
  return Response.json(created);
}

export default {
  async fetch(request, env) {
    try {
      return await (new URL(request.url).pathname === '/objects' ? putObjects(request, env) : runStatements(request, env));
    } catch (error) {
      return new Response(String(error?.message ?? error), { status: 500 });
    }
  },
};
