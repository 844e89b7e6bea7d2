package com.example.ordershop.gate;

/** What everybody passes between computing a statistic and writing it. Open, except in demonstrations. */
public interface Gate {

    /** Returns at once, or when the gate is opened. */
    void pass();
}
