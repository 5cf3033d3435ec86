/** The lifecycle of a feature until today. */
export type Life =
  | 'planned'
  | 'developed'
  | 'tried'
  | 'growing'
  | 'everywhere'
  | 'withdrawn'
  | 'forgotten'
  | 'completed'
  | 'archived';

export interface DemoFeature {
  readonly name: string;
  readonly type: 'release' | 'experiment' | 'operational' | 'kill-switch' | 'permission';
  readonly life: Life;
  readonly daysAgo: number;
  readonly description: string;
  readonly tags?: readonly string[];
}

const types = {
  r: 'release',
  x: 'experiment',
  o: 'operational',
  k: 'kill-switch',
  p: 'permission',
} as const;

/** One line each: type, name, life, age in days, description, tags. */
const parseFeatures = (lines: string): DemoFeature[] =>
  lines
    .trim()
    .split('\n')
    .map((line) => {
      const [type = 'r', name = '', life = 'planned', age = '1', description = '', tags = ''] = line
        .split('|')
        .map((part) => part.trim());
      return {
        name,
        type: types[type as keyof typeof types],
        life: life as Life,
        daysAgo: Number(age),
        description,
        ...(tags && { tags: tags.split(' ') }),
      };
    });

/** A hundred features of a shop, of all ages and types, by project. */
export const catalogue: Readonly<Record<string, readonly DemoFeature[]>> = {
  'web-shop': parseFeatures(`
    r | new-navigation          | archived   | 178 | The menu in two levels instead of four | frontend
    r | product-zoom            | completed  | 171 | Pictures grow under the pointer | frontend
    x | home-hero               | archived   | 165 | Which picture greets visitors | growth
    r | dark-mode               | everywhere | 158 | Follows the setting of the device | frontend accessibility
    o | image-cdn               | everywhere | 149 | Pictures come from the second provider | platform
    r | wishlists               | forgotten  | 144 | Lists that can be shared | growth
    r | gift-cards              | completed  | 131 | Buy and redeem gift cards
    k | reviews                 | everywhere | 127 | Switches customer reviews off when they are attacked
    p | staff-preview           | everywhere | 118 | What staff sees before everybody else
    x | free-shipping-banner    | forgotten  | 109 | Does a banner sell more? | growth
    r | size-advisor            | growing    | 88  | Recommends a size from earlier orders | ml
    r | live-stock              | growing    | 71  | Shows how many are left
    x | product-page-layout     | growing    | 52  | Picture left, right, or on top | growth frontend
    r | account-deletion        | everywhere | 47  | Customers delete their account themselves | legal
    r | passkeys                | tried      | 36  | Log in without a password | security
    r | recently-viewed         | developed  | 24  | The last ten products at the bottom
    r | compare-products        | developed  | 15  | Up to four beside each other
    r | ar-preview              | planned    | 6   | Furniture in your own room
  `),
  checkout: parseFeatures(`
    r | pay-one-page            | completed  | 172 | Basket to confirmation on one page
    r | pay-paypal-express      | completed  | 163 | PayPal straight from the basket
    k | pay-provider-b          | everywhere | 157 | Falls back to the second payment provider | payments
    o | pay-slow-lane           | everywhere | 146 | Queues orders when the bank is slow | payments
    r | pay-apple               | everywhere | 138 | Apple Pay | payments
    r | pay-google              | everywhere | 137 | Google Pay | payments
    x | pay-button-colour       | archived   | 121 | Green against orange | growth
    r | pay-in-three            | forgotten  | 112 | Three instalments without interest | payments legal
    r | pay-invoice-b2b         | growing    | 90  | Invoices for companies | payments
    x | pay-tip                 | withdrawn  | 77  | Would customers round up for charity?
    r | pay-address-check       | growing    | 58  | Looks addresses up while they are typed
    p | pay-manual-review       | everywhere | 49  | Who may release suspicious orders | security
    r | pay-sca-exemption       | tried      | 33  | Fewer confirmations for small sums | payments legal
    r | pay-crypto              | withdrawn  | 29  | It seemed a good idea
    r | pay-save-basket         | developed  | 12  | The basket follows to other devices
    r | pay-voucher-stack       | planned    | 4   | Several vouchers on one order
  `),
  mobile: parseFeatures(`
    r | push-orders             | completed  | 156 | Tells when an order leaves the house
    r | offline-catalogue       | archived   | 150 | Browsing under ground
    k | force-update            | everywhere | 142 | Asks old versions to update
    r | barcode-scan            | everywhere | 125 | Finds a product by its code
    x | onboarding-steps        | forgotten  | 108 | Three steps or five | growth
    r | biometric-login         | everywhere | 93  | Face and finger | security
    r | new-player              | withdrawn  | 81  | Another video player: it drained batteries
    o | crash-sampling          | everywhere | 69  | How many crashes are reported | platform
    r | share-sheet             | growing    | 55  | The system's own way to share
    r | order-widget            | growing    | 41  | Where is my parcel, on the home screen
    x | tab-bar-labels          | growing    | 30  | Icons alone, or with words | growth
    r | visual-search           | tried      | 22  | Find what a photograph shows | ml
    r | watch-app               | developed  | 10  | Parcels on the wrist
    r | tablet-layout           | planned    | 3   | Two columns on large screens
  `),
  search: parseFeatures(`
    r | typo-tolerance          | completed  | 147 | Finds shoess, too
    r | synonyms                | completed  | 139 | Sofa is couch is settee
    x | ranking-clicks          | archived   | 128 | Ranks by what others clicked | ml
    x | ranking-margin          | withdrawn  | 116 | Ranks by what earns more
    o | index-rebuild           | everywhere | 102 | Lets the nightly rebuild run by day | platform
    r | facets-v2               | everywhere | 95  | Filters that know how many they leave
    k | suggestions             | everywhere | 84  | Switches suggestions off under load
    r | voice-search            | forgotten  | 73  | Speak instead of typing
    r | vector-search           | growing    | 60  | Finds what is meant, not what is said | ml
    x | zero-results-help       | growing    | 44  | What to show when nothing fits | growth
    r | personal-ranking        | tried      | 31  | Ranks by what you bought | ml legal
    r | search-in-reviews       | developed  | 18  | What customers say counts, too
    r | image-filters           | planned    | 5   | Filter by colour in the picture
  `),
  warehouse: parseFeatures(`
    r | handheld-app            | completed  | 130 | Picking with a scanner instead of paper
    o | night-batch             | everywhere | 122 | Moves the stock count to the night
    r | wave-picking            | everywhere | 111 | Several orders in one round
    k | robot-lane              | everywhere | 97  | Stops the robots | safety
    r | label-printer-b         | forgotten  | 86  | The printers of the new hall
    x | shelf-order             | growing    | 67  | By size or by speed
    r | returns-photo           | growing    | 50  | A picture of what came back
    p | stock-correction        | everywhere | 42  | Who may correct a count
    r | dock-booking            | tried      | 27  | Carriers book their time
    r | cold-chain              | developed  | 16  | Watches temperatures | safety
    r | drone-count             | planned    | 7   | Counting from above
  `),
  'anniversary-sale': parseFeatures(`
    r | sale-countdown          | archived   | 118 | Counts down on the home page
    o | sale-queue              | archived   | 115 | A waiting room before the shop | platform
    k | sale-recommendations    | archived   | 113 | Switches the costly parts off
    x | sale-early-access       | archived   | 104 | One hour earlier for members | growth
  `),
  platform: parseFeatures(`
    o | trace-sampling          | everywhere | 72  | How many requests are traced | platform
    k | read-only               | everywhere | 70  | No orders, but everything can be looked at | safety
    o | db-failover             | everywhere | 66  | Reads from the second database | platform
    r | new-gateway             | growing    | 61  | Requests through the new gateway | platform
    p | debug-headers           | everywhere | 57  | Who gets to see timings | security
    r | grpc-internal           | growing    | 46  | Services talk gRPC | platform
    o | cache-warmup            | withdrawn  | 38  | Fills caches before traffic comes | platform
    r | otel-logs               | tried      | 28  | Logs through the collector | platform
    r | edge-config             | developed  | 19  | Settings at the edge | platform
    k | outbound-webhooks       | everywhere | 54  | Stops what we send to others | safety
    r | tenant-isolation        | developed  | 14  | A database for each large customer | platform security
    r | wasm-rules              | planned    | 2   | Rules that run in the browser
  `),
  default: parseFeatures(`
    r | hello-world             | everywhere | 179 | The first flag of this installation
    k | sign-up                 | everywhere | 90  | Stops sign-ups when bots come | security
    r | footer-v2               | forgotten  | 64  | A new footer
    r | cookie-banner-v3        | completed  | 48  | Two equal buttons | legal
    r | status-page             | growing    | 25  | Shows what is broken
    x | newsletter-frequency    | growing    | 20  | Weekly or monthly | growth
    p | beta-testers            | everywhere | 13  | Who sees unfinished things
    r | help-centre-search      | developed  | 9   | Search in the help pages
    r | accessibility-menu      | completed  | 103 | Contrast, size and motion | accessibility
    o | mail-provider-b         | everywhere | 82  | Mails through the second provider | platform
    r | loyalty-points          | growing    | 35  | A point for every euro | growth
    r | easter-egg              | planned    | 1   | Nobody will ever find it
  `),
};
