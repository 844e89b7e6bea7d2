package io.github.zklock.zookeeper.internal.engine;

import java.util.List;
import java.util.stream.Stream;

/** The bugs in other rooms than those of {@link PlantedQueuesTest}. */
class PlantedRoomsTest extends PlantedRooms {

    static List<RoomPlant> bugs() {
        return Stream.concat(RoomPlant.ALL.stream(), RoomPlants.OF_OTHER_ROOMS.stream())
                .toList();
    }
}
