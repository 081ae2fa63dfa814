import type { Settings } from '../../settings/settings.data.ts';

/** Files of the client libraries below `/docs/assets/`, which the build writes. */
export const TYPESCRIPT_TARBALL = 'game-data-api.tgz';
export const PYTHON_WHEEL = 'game_data_api-1.0.0-py3-none-any.whl';

/** Name of both libraries in the registries of npm and Python. */
const PACKAGE = 'game-data-api';

/** Commands that install the client libraries from this deployment. */
export const installCommands = (baseUrl: string) => ({
  typescript: `npm install ${baseUrl}/docs/assets/${TYPESCRIPT_TARBALL}`,
  python: `pip install ${baseUrl}/docs/assets/${PYTHON_WHEEL}`,
});

/** Commands that install them from the registries; null unless a superuser set that they are published there. */
export const registryCommands = ({ clientsPublished }: Pick<Settings, 'clientsPublished'>) =>
  clientsPublished ? { typescript: `npm install ${PACKAGE}`, python: `pip install ${PACKAGE}` } : null;

/** Commands that pages show, one a line: from the registries when they have the libraries, else from this deployment. */
export function installText(baseUrl: string, settings: Pick<Settings, 'clientsPublished'>): string {
  const { typescript, python } = registryCommands(settings) ?? installCommands(baseUrl);
  return `${typescript}\n${python}`;
}
