package com.example.ordershop.demo.page;

import com.example.ordershop.demo.scenario.Scenario;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

@RestController
@RequestMapping("/demonstration")
@ConditionalOnBooleanProperty(name = "ordershop.demonstration", matchIfMissing = true)
final class DemonstrationController {

    private final DemonstrationRunner demonstration;

    DemonstrationController(DemonstrationRunner demonstration) {
        this.demonstration = demonstration;
    }

    @GetMapping
    DemonstrationRunner.Report report() {
        return demonstration.report();
    }

    @PostMapping("/{name}")
    ResponseEntity<DemonstrationRunner.Report> start(@PathVariable String name) {
        Scenario scenario = Scenario.named(name)
                .orElseThrow(() -> new ResponseStatusException(
                        HttpStatus.NOT_FOUND, "There is no scenario '" + name + "', but " + Scenario.labels()));
        if (!demonstration.start(scenario)) {
            throw new ResponseStatusException(
                    HttpStatus.CONFLICT, "A demonstration is running: wait for its end, or stop it by DELETE");
        }
        return ResponseEntity.accepted().body(demonstration.report());
    }

    @DeleteMapping
    DemonstrationRunner.Report stop() {
        demonstration.stop();
        return demonstration.report();
    }
}
