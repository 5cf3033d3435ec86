import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { nameOfAccount } from '../access/account-words.ts';
import { nameOf } from '../integrations/integration-name.ts';
import { read } from '../queries.ts';
import type { AddressNames } from './title.ts';

/** The names behind the ids in the address. The open page reads them; nothing is requested for a title alone. */
export function useAddressNames(pathname: string): AddressNames {
  const {
    projectId = '',
    id = '',
    name = '',
    userId = '',
    roleId = '',
  } = useParams({ strict: false });
  const onlyCached = { enabled: false };
  const projects = useQuery({ ...read('GET /api/admin/projects', {}), ...onlyCached }).data;
  const addons = useQuery({ ...read('GET /api/admin/addons', {}), ...onlyCached }).data;
  const segment = useQuery({
    ...read('GET /api/admin/segments/:id', { params: { id } }),
    ...onlyCached,
  }).data;
  const role = useQuery({
    ...read('GET /api/admin/roles/:roleId', { params: { roleId } }),
    ...onlyCached,
  }).data;
  const account = useQuery({
    ...read('GET /api/admin/access/accounts/:id', { params: { id: userId } }),
    ...onlyCached,
  }).data;
  const strategies = useQuery({ ...read('GET /api/admin/strategies', {}), ...onlyCached }).data;
  const featureTypes = useQuery({
    ...read('GET /api/admin/feature-types', {}),
    ...onlyCached,
  }).data;
  const request = useQuery({
    ...read('GET /api/admin/projects/:projectId/change-requests/:id', {
      params: { projectId, id },
    }),
    ...onlyCached,
  }).data;
  const integration = addons?.addons.find((each) => String(each.id) === id);
  const things: Readonly<Record<string, string | undefined>> = {
    integrations: integration && nameOf(integration, addons?.providers),
    segments: segment?.name,
    strategies: strategies?.strategies.find((each) => each.name === name)?.displayName,
    'feature-toggle-type': featureTypes?.types.find((each) => each.id === id)?.name,
    'admin/roles': role?.name,
    [`projects/${projectId}/change-requests`]: request?.title,
    'admin/users': account && nameOfAccount(account.user),
  };
  const area = Object.keys(things).find((path) => pathname.startsWith(`/${path}/`)) ?? '';
  return {
    project: projects?.projects.find((project) => project.id === projectId)?.name,
    thing: things[area],
  };
}
