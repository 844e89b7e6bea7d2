package com.example.ordershop.demo;

/** Result of a scenario: passed or failed, and the measured numbers. */
record Verdict(String scenario, boolean passed, String text) {

    @Override
    public String toString() {
        return (passed ? "PASSED " : "FAILED ") + scenario + ": " + text;
    }
}
