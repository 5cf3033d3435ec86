export * from '../contract/schema.ts';
