import { MOD_CATEGORIES } from '../../../../game/mod-categories.data.ts';
import { toolNamed } from '../../../../platform/http/pages/menu.data.ts';
import { DataTable } from '../../../../platform/http/pages/parts.tsx';
import { FILE_ALIGNMENT, LOADER_PROPERTY, MAX_FILES, MAX_PATH_BYTES, PREVIEW_PROPERTY, RUN_BYTES } from '../../../mods/tmod.data.ts';
import type { OpenPage } from '../../layout/layout.page.tsx';
import { FoldedTable, toolPage } from '../frame/tool-page.page.tsx';

const PROPERTIES = [
  ['title', 'Title. The game requires the file to be named after it.'],
  ['author', 'Author; several are separated by commas.'],
  ['notes', 'Notes.'],
  ['modVersion', 'Version of the mod.'],
  ['tags', 'Categories, separated by commas.'],
  ['flags', 'Bits of the categories; derived from the tags.'],
  [PREVIEW_PROPERTY, 'Path of the packed image that shows the mod.'],
  [LOADER_PROPERTY, 'Program that wrote the file.'],
] as const;

const FORMAT = [
  ['Size of the header', '8 bytes'],
  ['Version of the format', '2 bytes'],
  ['Number of properties', '2 bytes'],
  ['Properties', 'name and value, each with its length in bytes before it'],
  ['Table of files', 'per file: length of the path, path, index, offset, size, checksum'],
  ['Stream', 'contents, deflated or in stored blocks'],
] as const;

/** `/tools/tmod`. */
export function tmodToolPage(baseUrl: string): OpenPage {
  const tool = toolNamed('tmod');
  return toolPage({
    tool,
    baseUrl,
    hasWorkers: true,
    tables: (
      <>
        <FoldedTable title="Categories">
          <DataTable
            label="Categories"
            head={['Category', 'Bit in flags']}
            rows={MOD_CATEGORIES.map(({ name, bit }) => [name, String(bit)])}
            isNumeric
          />
        </FoldedTable>
        <FoldedTable title="Properties">
          <DataTable
            label="Properties"
            head={['Property', 'Meaning']}
            rows={PROPERTIES.map(([name, text]) => [<code>{name}</code>, text])}
          />
        </FoldedTable>
        <FoldedTable title="The file format">
          <DataTable label="The file format" head={['Part', 'Content']} rows={FORMAT.map(([name, text]) => [name, text])} />
        </FoldedTable>
      </>
    ),
    how: (
      <>
        <p>
          A <code>.tmod</code> file has a header with properties and a table of files, and one stream with all contents. Each file has a
          checksum, a 32-bit variant of FNV-1a, which is computed again when you open the file. A mod has at most{' '}
          {MAX_FILES.toLocaleString('en')} files here, with paths of at most {MAX_PATH_BYTES} bytes.
        </p>
        <p>
          Building writes the contents in the order of the list, each padded to a multiple of {FILE_ALIGNMENT} bytes, as stored blocks of{' '}
          {RUN_BYTES.toLocaleString('en')} bytes. The same mod always gives the same bytes. Models are drawn like the images of the codex.
        </p>
        <p>
          With the API, send the file itself:{' '}
          <code>{`curl -X POST ${baseUrl}/v1/mods/read -H "Authorization: Bearer $GAME_DATA_TOKEN" --data-binary @mod.tmod`}</code>. It
          accepts 20 MiB.
        </p>
        <p>Source: the files of the game and of its mod tools, byte for byte.</p>
      </>
    ),
    endpoints: [
      { title: 'reading a mod', tag: 'mods', operationId: 'readMod' },
      { title: 'building a mod', tag: 'mods', operationId: 'buildMod' },
      { title: 'categories', tag: 'mods', operationId: 'listModCategories' },
    ],
  });
}
