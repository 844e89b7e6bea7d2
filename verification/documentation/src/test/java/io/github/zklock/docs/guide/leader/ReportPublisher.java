package io.github.zklock.docs.guide.leader;

import io.github.zklock.FencingToken;
import io.github.zklock.Leadership;
import io.github.zklock.Registration;
import io.github.zklock.annotation.OnlyLeader;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Service;

@Service
public class ReportPublisher implements DisposableBean {

    private final AtomicInteger summaries = new AtomicInteger();
    private final BlockingQueue<String> requests = new LinkedBlockingQueue<>();
    private final List<String> published = new CopyOnWriteArrayList<>();

    // snippet:task
    private final Leadership leadership;
    private final Registration task;

    ReportPublisher(Leadership leadership) {
        this.leadership = leadership;
        this.task = leadership.runWhileLeader(this::publish);
    }

    private void publish(FencingToken token) throws InterruptedException {
        while (true) { // when the term ends, an interrupt ends take() or sleep()
            String report = requests.take();
            while (!leadership.isLeader()) { // suspended: the term continues
                Thread.sleep(100);
            }
            store(report, token);
        }
    }
    // end:task

    // snippet:scheduled
    @Scheduled(cron = "0 0 * * * *")
    @OnlyLeader("/reports")
    public void summarize() {
        summaries.incrementAndGet();
    }
    // end:scheduled

    /** Requests a report in this process. */
    public void request(String report) {
        requests.add(report);
    }

    /** Returns the stored reports. */
    public List<String> published() {
        return List.copyOf(published);
    }

    public int summaries() {
        return summaries.get();
    }

    private void store(String report, FencingToken token) {
        published.add(report + " by " + token);
    }

    @Override
    public void destroy() {
        task.close();
    }
}
