package com.example.ordershop.demo.scenario;

import com.example.ordershop.demo.process.ProgressListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A listener that records the progress. */
final class RecordedProgress implements ProgressListener {

    final List<String> lines = new CopyOnWriteArrayList<>();
    final AtomicInteger orders = new AtomicInteger();

    @Override
    public void line(String text) {
        System.out.println(text);
        lines.add(text);
    }

    @Override
    public void progress(int done, int total) {
        orders.accumulateAndGet(done, Math::max);
    }
}
