package io.github.zklock.test;

import io.github.zklock.LockKind;

/** What stands in front of a place in a line, and what it leaves room for. */
final class Front {

    private int seats;
    private int permits;
    private boolean writer;

    void add(Demand demand) {
        seats++;
        permits += demand.permits();
        writer |= demand.kind() == LockKind.WRITE;
    }

    boolean leavesRoomFor(Demand demand) {
        return switch (demand.kind()) {
            case EXCLUSIVE, WRITE -> seats == 0;
            case READ -> !writer;
            case PERMITS -> permits + demand.permits() <= demand.total();
        };
    }

    int seats() {
        return seats;
    }

    int permits() {
        return permits;
    }
}
