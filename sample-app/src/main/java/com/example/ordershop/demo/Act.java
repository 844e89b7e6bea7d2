package com.example.ordershop.demo;

/** How a scenario is played. */
@FunctionalInterface
interface Act {

    /**
     * Plays it.
     *
     * @return what was seen, also if that is not what is promised
     * @throws StageException if it could not be played to its end
     */
    Verdict play(Stage stage, Load load, int runs) throws InterruptedException;
}
