package com.example.ordershop.demo;

/**
 * How much is done.
 *
 * @param shops processes of the shop
 * @param clients customers who order at the same time
 * @param orders of each customer in one run
 */
record Load(int shops, int clients, int orders) {

    /** Orders that a run needs before it proves anything. */
    static final int LEAST_ORDERS = 20;

    static final Load DEFAULT = new Load(2, 8, 25);

    Load {
        atLeast(2, shops, "shops", "one process alone needs no distributed lock");
        atLeast(2, clients, "clients", "one customer alone is never at two shops at once");
        atLeast(1, orders, "orders", "nothing would be counted");
        if (clients * orders < LEAST_ORDERS) {
            throw new IllegalArgumentException(
                    "%d clients with %d orders each are %d orders: at least %d prove anything"
                            .formatted(clients, orders, clients * orders, LEAST_ORDERS));
        }
    }

    /** Orders of one run. */
    int wanted() {
        return clients * orders;
    }

    private static void atLeast(int least, int value, String name, String why) {
        if (value < least || value > 1000) {
            throw new IllegalArgumentException(
                    "%s is %d: it must be from %d to 1000; %s".formatted(name, value, least, why));
        }
    }
}
