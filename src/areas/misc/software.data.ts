/** A program for modding. */
export interface Software {
  name: string;
  free: boolean;
  url: string;
  description: string;
}

export interface SoftwareCategory {
  key: string;
  description: string;
  software: readonly Software[];
}

/** Modding software by category, in display order. */
export const softwareCategories: readonly SoftwareCategory[] = [
  {
    key: 'blueprints',
    description: 'Voxel model editors. Blueprints are the voxel model files of items, blocks, icons, mounts, allies and costumes.',
    software: [
      { name: 'Qubicle', free: false, url: 'https://www.getqubicle.com/', description: 'Commercial voxel editor.' },
      {
        name: 'MagicaVoxel',
        free: true,
        url: 'https://ephtracy.github.io/',
        description: 'Lightweight 8-bit voxel editor with a path-tracing renderer.',
      },
      { name: 'Zoxel', free: true, url: 'https://github.com/chrmoritz/zoxel/releases/tag/0.6.2', description: 'Open-source voxel editor.' },
      { name: 'VoxelShop', free: true, url: 'https://github.com/simlu/voxelshop', description: 'Cross-platform open-source voxel editor.' },
      { name: 'Troxel', free: true, url: 'https://troxel.js.org/', description: 'Voxel viewer and editor that runs in the browser.' },
      {
        name: 'Metaforge',
        free: true,
        url: 'https://trovesaurus.com/page=3977/metaforge-guide',
        description: 'Voxel editor inside the game.',
      },
    ],
  },
  {
    key: 'vfx',
    description: 'Particle and effect editors for visual effects.',
    software: [
      {
        name: 'PopcornFX (1.13.5)',
        free: true,
        url: 'https://wiki.popcornfx.com/index.php/PK-Editor_v1.13',
        description: 'Particle effect editor, in the version that the game supports.',
      },
    ],
  },
  {
    key: 'ui',
    description: 'Editors for the Flash-based interface files.',
    software: [
      {
        name: 'Adobe Animate',
        free: false,
        url: 'https://www.adobe.com/products/animate.html',
        description: 'Commercial animation and Flash authoring program.',
      },
      {
        name: 'Jpexs Free Flash Decompiler',
        free: true,
        url: 'https://www.free-decompiler.com/flash/',
        description: 'Decompiler and editor for SWF files.',
      },
    ],
  },
  {
    key: 'sound',
    description: 'Tools for replacing sounds and music in the game sound banks.',
    software: [
      {
        name: 'BNK Replacer',
        free: true,
        url: 'https://github.com/EtiTheSpirit/BNKReplacer',
        description: "Replaces sounds in the game's sound bank.",
      },
    ],
  },
  {
    key: 'textures',
    description: 'Image editors for the textures used by visual effects.',
    software: [
      { name: 'Paint.NET', free: true, url: 'https://www.getpaint.net/', description: 'Image and photo editor for Windows.' },
      { name: 'GIMP', free: true, url: 'https://www.gimp.org/', description: 'Open-source image editor.' },
    ],
  },
];
