package io.github.zklock.zookeeper.internal.engine;

import java.util.List;

/** The bugs between the queues and the servers: in requests, sessions, the loop, and reports. */
class PlantedWiresTest extends PlantedRooms {

    static List<RoomPlant> bugs() {
        return RoomPlants.OF_WIRES;
    }
}
