import type { TestApp } from '../support/app.ts';
import { make } from '../support/make.ts';
import { person } from '../support/people.ts';
import type { Mutations } from './mutations.ts';

type Ask = TestApp['ask'];

const requests = '/api/admin/projects/default/change-requests';
const place = '/api/admin/projects/default/environments/development/change-requests';

const enabling = (feature: string) => ({
  feature,
  action: 'updateEnabled',
  payload: { enabled: true },
});

/** A draft of the caller with a change of a feature of its own. */
async function draft(ask: Ask, feature: string): Promise<{ path: string; changes: number[] }> {
  await make(ask).feature(feature);
  const payload = [enabling(feature), { feature, action: 'archiveFeature' }];
  const request = (await ask(`POST ${place}`, { payload })).json();
  const { changes } = request.features.find(({ name }: { name: string }) => name === feature);
  return { path: `${requests}/${request.id}`, changes: changes.map(({ id }: never) => id) };
}

export const changeRequestMutations: Mutations = {
  scenarios: {
    createChangeRequest: async (ask) => {
      await make(ask).feature('proposed-here');
      return ask(`POST ${place}`, { payload: enabling('proposed-here') });
    },
    editChange: async (ask) => {
      const { path, changes } = await draft(ask, 'edited-proposal');
      const payload = { ...enabling('edited-proposal'), payload: { enabled: false } };
      return ask(`PUT ${path}/changes/${changes[0]}`, { payload });
    },
    resolveChange: async (ask) => {
      await make(ask).feature('disputed-here');
      const variants = (name: string) => [
        { name, weight: 1000, weightType: 'variable', stickiness: 'default' },
      ];
      const change = { action: 'patchVariant', payload: { variants: variants('mine') } };
      const payload = { feature: 'disputed-here', ...change };
      const request = (await ask(`POST ${place}`, { payload })).json();
      await make(ask).variants('disputed-here', variants('theirs'));
      const { changes } = request.features.find(
        ({ name }: { name: string }) => name === 'disputed-here',
      );
      return ask(`POST ${requests}/${request.id}/changes/${changes[0].id}/resolve`, {
        payload: { resolution: 'keep' },
      });
    },
    discardChange: async (ask) => {
      const { path, changes } = await draft(ask, 'dropped-proposal');
      return ask(`DELETE ${path}/changes/${changes[0]}`);
    },
    discardChangeRequest: async (ask) => {
      const { path } = await draft(ask, 'discarded-proposal');
      return ask(`DELETE ${path}`);
    },
    updateChangeRequestTitle: async (ask) => {
      const { path } = await draft(ask, 'titled-proposal');
      return ask(`PUT ${path}/title`, { payload: { title: 'Titled' } });
    },
    addChangeRequestComment: async (ask) => {
      const { path } = await draft(ask, 'commented-proposal');
      return ask(`POST ${path}/comments`, { payload: { text: 'Looks good' } });
    },
    reviewChangeRequestEmergency: async (ask, app) => {
      await make(ask).project('emergency');
      await make(ask).feature('urgent-proposal', { project: 'emergency' });
      const path = '/api/admin/projects/emergency';
      await ask(`PUT ${path}/environments/development/change-requests/config`, {
        payload: { changeRequestsEnabled: true },
      });
      const admin = await person(app, { rootRole: 1 });
      const proposed = await admin.ask(`POST ${path}/environments/development/change-requests`, {
        payload: enabling('urgent-proposal'),
      });
      const request = `${path}/change-requests/${proposed.json().id}`;
      const emergency = { reason: 'Outage' };
      await admin.ask(`PUT ${request}/state`, { payload: { state: 'Applied', emergency } });
      const reviewer = await person(app, { rootRole: 1 });
      return ask(`POST ${request}/emergency-review`, {
        payload: {},
        headers: { authorization: reviewer.token },
      });
    },
    setChangeRequestApprovers: async (ask, app) => {
      const { path } = await draft(ask, 'reviewed-proposal');
      const { id } = await person(app, { rootRole: 1 });
      return ask(`PUT ${path}/approvers`, { payload: { reviewers: [id] } });
    },
    updateChangeRequestState: async (ask) => {
      const { path } = await draft(ask, 'sent-proposal');
      return ask(`PUT ${path}/state`, { payload: { state: 'In review' } });
    },
  },
  conflicts: {
    updateChangeRequestState: async (ask) => {
      const { path } = await draft(ask, 'outdated-proposal');
      await ask('DELETE /api/admin/projects/default/features/outdated-proposal');
      return ask(`PUT ${path}/state`, { payload: { state: 'Applied' } });
    },
    previewChangeRequest: async (ask) => {
      const { path } = await draft(ask, 'impossible-proposal');
      await ask('DELETE /api/admin/projects/default/features/impossible-proposal');
      return ask(`POST ${path}/preview`, { payload: {} });
    },
  },
  changesNothing: {
    evaluateChangeRequest: 'evaluates and rolls back',
    previewChangeRequest: 'evaluates and rolls back',
  },
};
