import packageFile from '../package.json' with { type: 'json' };

export const version: string = packageFile.version;
