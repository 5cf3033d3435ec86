import { expect } from 'vitest';
import { withBrowser } from '../support/browser.ts';
import { make } from '../support/make.ts';
import { locationOf, moveTo, pageTest } from '../support/page-test.ts';

const test = pageTest();

const only = (...values: readonly string[]) => [{ contextName: 'country', operator: 'IN', values }];

withBrowser('the effect of a change request', () => {
  test('says who gets a different result, with an example that opens in the playground', async ({
    api,
    page,
    visit,
  }) => {
    const { ask } = api;
    await make(ask).project('shop');
    for (const name of ['new-checkout', 'gift-cards', 'dormant']) {
      await make(ask).feature(name, { project: 'shop' });
    }
    const segment = (
      await ask('POST /api/admin/segments', {
        payload: { name: 'Nordics', constraints: only('NO', 'SE') },
      })
    ).json();
    const inProduction = (name: string) =>
      `/api/admin/projects/shop/features/${name}/environments/production`;
    await ask(`POST ${inProduction('gift-cards')}/strategies`, {
      payload: { name: 'default', segments: [segment.id] },
    });
    await ask(`POST ${inProduction('gift-cards')}/on`);
    const requests = '/api/admin/projects/shop/environments/production/change-requests';
    const rollout = (percentage: string) => ({
      name: 'flexibleRollout',
      parameters: { rollout: percentage, stickiness: 'default', groupId: 'new-checkout' },
      constraints: only('NO', 'DK'),
      variants: [
        { name: 'blue', weight: 500, weightType: 'variable', stickiness: 'default' },
        { name: 'red', weight: 500, weightType: 'variable', stickiness: 'default' },
      ],
    });
    const { id } = (
      await ask(`POST ${requests}`, {
        payload: [
          { feature: 'new-checkout', action: 'addStrategy', payload: rollout('25') },
          { feature: 'new-checkout', action: 'updateEnabled', payload: { enabled: true } },
          { feature: 'dormant', action: 'addStrategy', payload: { name: 'default' } },
          {
            action: 'updateSegment',
            payload: { id: segment.id, name: 'Nordics', constraints: only('NO', 'SE', 'FI') },
          },
        ],
      })
    ).json();
    const request = `/projects/shop/change-requests/${id}`;
    await ask(`PUT /api/admin${request}/state`, { payload: { state: 'In review' } });

    await visit(request);
    const effect = page.getByRole('region', { name: 'Effect', exact: true });
    const checkout = effect.getByRole('region', { name: 'Effect on new-checkout' });
    await checkout
      .getByText(
        /^About \d+% of users whose country is NO or DK: Disabled → Enabled with variant blue$/,
      )
      .waitFor();
    const cards = effect.getByRole('region', { name: 'Effect on gift-cards' });
    await cards.getByText(/^Uses a changed segment · 1 of 3 sample contexts gets/).waitFor();
    await cards.getByText('Users whose country is FI: Disabled → Enabled').waitFor();
    await effect.getByText('Evaluated as before: dormant').waitFor();
    await cards.getByRole('link', { name: /^Open in playground/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Playground' }).waitFor();
    await page.getByRole('button', { name: 'gift-cards in production: Disabled' }).waitFor();
    expect((await locationOf(page)).searchParams.get('contexts')).toBe('[{"country":"FI"}]');

    // The context has been tried now.
    await moveTo(page, request);
    await cards.getByText('From your playground: country=FI').waitFor();
    await effect.getByText(/including those of your last visit to the playground/).waitFor();

    await ask(`DELETE /api/admin/projects/shop/features/new-checkout`);
    await effect.getByText('No preview while there are conflicts.').waitFor();
  });
});
