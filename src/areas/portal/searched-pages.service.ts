import type { SearchSource } from '../../platform/area/search-source.ts';
import { SEARCHED_PAGES } from './page-words.data.ts';

/** The pages of the menu and the tools, without those of features that are switched off. */
export const pageSearchSource: SearchSource = {
  type: 'page',
  scope: null,
  isPublic: true,
  phrased: (settings) =>
    SEARCHED_PAGES.filter(({ feature }) => feature === undefined || settings[feature]).map(({ path, title, about, phrases }) => ({
      key: path,
      name: title,
      about,
      text: '',
      link: path,
      image: null,
      phrases,
    })),
};
