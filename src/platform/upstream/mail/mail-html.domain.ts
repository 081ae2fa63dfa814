import { escapeXml } from '../../kit/values/escape-xml.ts';

const LINK = /(https?:\/\/[^\s<>"]+)/;
/** Indented lines: a plain-text table, which needs a monospace font. */
const COLUMNS = /^ {2}/m;

const FONT = 'font-family:system-ui,-apple-system,Segoe UI,sans-serif;font-size:16px;line-height:1.5';
const PARAGRAPH = 'margin:0 0 16px';
const COLOR = 'color:#1c1f2b';
const LINK_STYLE = 'color:#5a36c9;overflow-wrap:anywhere';

const withLinks = (text: string) =>
  text
    .split(LINK)
    .map((part, index) => (index % 2 === 1 ? `<a href="${escapeXml(part)}" style="${LINK_STYLE}">${escapeXml(part)}</a>` : escapeXml(part)))
    .join('');

/**
 * Converts the text of a mail to HTML: paragraphs with clickable links. All text is escaped. Styles are inline, because mail clients
 * drop style sheets.
 */
export function mailHtml({ subject, text }: { subject: string; text: string }): string {
  const paragraphs = text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) =>
      COLUMNS.test(paragraph)
        ? `<pre style="${PARAGRAPH};font-size:14px;white-space:pre-wrap">${withLinks(paragraph)}</pre>`
        : `<p style="${PARAGRAPH}">${withLinks(paragraph).replaceAll('\n', '<br>')}</p>`,
    );
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeXml(subject)}</title></head>
<body style="margin:0;padding:24px 16px;background:#f6f6fb">
<div style="max-width:560px;margin:0 auto;padding:24px 24px 8px;border-top:4px solid #5a36c9;border-radius:8px;background:#ffffff;${COLOR};${FONT}">
${paragraphs.join('\n')}
</div>
</body>
</html>
`;
}
