package com.example.ordershop.stock;

import org.jspecify.annotations.Nullable;

/** How many pieces of one product, as much as one customer may have. */
public record Quantity(int value) {

    private static final int MOST = 100;

    /** @throws InvalidInputException if it is less than one or too much */
    public Quantity {
        if (value < 1 || value > MOST) {
            throw new InvalidInputException("quantity is " + value + ": it must be between 1 and " + MOST);
        }
    }

    /**
     * What a request says, if it says anything.
     *
     * @throws InvalidInputException if it says nothing, or less than one, or too much
     */
    public static Quantity of(@Nullable Integer value) {
        if (value == null) {
            throw new InvalidInputException("quantity is missing: say how many, between 1 and " + MOST);
        }
        return new Quantity(value);
    }
}
