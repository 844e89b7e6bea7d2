package com.example.ordershop.demo.scenario;

/**
 * Size of a load test.
 *
 * @param shops number of shop processes
 * @param clients number of clients that order at the same time
 * @param orders number of orders of each client in one run
 */
public record Load(int shops, int clients, int orders) {

    /** Smallest number of orders in a run. Fewer could miss a lost update. */
    static final int LEAST_ORDERS = 20;

    public static final Load DEFAULT = new Load(2, 8, 25);

    public Load {
        atLeast(2, shops, "shops", "one process needs no distributed lock");
        atLeast(2, clients, "clients", "one client never calls two shops at once");
        atLeast(1, orders, "orders", "a run needs orders");
        if (clients * orders < LEAST_ORDERS) {
            throw new IllegalArgumentException("%d clients with %d orders each are %d orders: a run needs at least %d"
                    .formatted(clients, orders, clients * orders, LEAST_ORDERS));
        }
    }

    /** Returns the number of orders of one run. */
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
