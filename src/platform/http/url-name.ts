export * from '../contract/url-name.ts';
