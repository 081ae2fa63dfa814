/** Body and headers of a form, encoded in advance so that its length is declared, as browsers do. */
export async function encodedForm(form: FormData) {
  const encoded = new Response(form);
  const body = await encoded.arrayBuffer();
  return { body, headers: { 'Content-Type': encoded.headers.get('Content-Type') ?? '', 'Content-Length': String(body.byteLength) } };
}
