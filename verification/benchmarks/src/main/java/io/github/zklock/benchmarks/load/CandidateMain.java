package io.github.zklock.benchmarks.load;

import io.github.zklock.benchmarks.contender.Election;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A process that is a candidate until it is killed. It prints {@code candidate}, and {@code leader} when it is elected. */
public final class CandidateMain {

    private CandidateMain() {}

    /**
     * Becomes a candidate.
     *
     * @param args the election and the servers
     */
    public static void main(String[] args) throws Exception {
        BooleanSupplier leads = Election.valueOf(args[0]).join(args[1]);
        System.out.println("candidate");
        while (!leads.getAsBoolean()) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        System.out.println("leader");
        Thread.currentThread().join();
    }
}
