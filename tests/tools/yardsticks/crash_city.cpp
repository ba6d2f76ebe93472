// CrashCity's race with default options, played at random from one position: the same rules as
// crashlab/games/crash_city/rules.py, written by hand for nothing but speed. `native_limit.py` builds it and
// compares. The streets do not change in a race, so it looks up once where each lane leads, and keeps who is on it.
//
//     ./crash_city GAMES <POSITION      prints: decisions with a choice, seconds, crashes, parked cars
//
// A position is the rows of crashlab/games/crash_city/state.py: the name of each, how many numbers it has, and these.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <initializer_list>
#include <vector>

constexpr int OWN = 8, CARS = 32, TILES = 65, LANES = 4 * TILES, LIMIT = 5000, NONE = -1;
constexpr int EAST[4] = {0, 1, 0, -1}, NORTH[4] = {1, 0, -1, 0};  // by direction, clockwise from north

struct Exit {
    int16_t lane, way;
};

struct Exits {
    int straight, all;  // first the lanes straight on, then those round a corner
    Exit to[6];
};

int players, first_seat, tiles;
int tile_x[TILES], tile_y[TILES], lanes_of[TILES], has_work[TILES];
Exits exits_of[LANES][4];  // by lane and direction
int across[LANES];         // the other lane of the street, or NONE
int first_lane[CARS], first_facing[CARS];

int lane[CARS], facing[CARS];  // of a car; a parked one has no lane
int8_t car_on[LANES];
bool is_taken[TILES];  // the work on this tile
int parked[4];
long decisions, crashes, all_parked;

uint64_t luck = 88172645463325252ull;

inline uint32_t below(uint32_t count) {
    luck ^= luck << 13;
    luck ^= luck >> 7;
    luck ^= luck << 17;
    return static_cast<uint32_t>(((luck >> 32) * static_cast<uint64_t>(count)) >> 32);
}

int tile_at(int x, int y) {
    for (int tile = 0; tile < tiles; tile++)
        if (tile_x[tile] == x && tile_y[tile] == y) return tile;
    return NONE;
}

// The lane on a side of the tile at a place, or NONE.
int lane_at(int x, int y, int side) {
    int tile = tile_at(x, y);
    return tile != NONE && lanes_of[tile] >> side & 1 ? 4 * tile + side : NONE;
}

// Whether a tile has a lane that ends at one of its corners, named by the sides that meet there.
bool is_paved(int x, int y, int side, int other) {
    return lane_at(x, y, side) != NONE || lane_at(x, y, other) != NONE;
}

// Whether one can go from an arm of the crossing at this corner to another arm: not where the crossing is split.
bool is_open(int x, int y, int arm, int other) {
    bool ne = is_paved(x, y, 2, 3), se = is_paved(x, y - 1, 0, 3), sw = is_paved(x - 1, y - 1, 0, 1),
         nw = is_paved(x - 1, y, 1, 2);
    int low = arm < other ? arm : other, high = arm < other ? other : arm;
    if (ne && sw && !se && !nw) return (low == 0 && high == 1) || (low == 2 && high == 3);
    if (nw && se && !ne && !sw) return (low == 0 && high == 3) || (low == 1 && high == 2);
    return true;
}

// The two lanes of an arm of a crossing, either of which may be missing.
void lanes_on_arm(int x, int y, int arm, int found[2]) {
    switch (arm) {
        case 0: found[0] = lane_at(x - 1, y, 1), found[1] = lane_at(x, y, 3); break;
        case 1: found[0] = lane_at(x, y, 2), found[1] = lane_at(x, y - 1, 0); break;
        case 2: found[0] = lane_at(x - 1, y - 1, 1), found[1] = lane_at(x, y - 1, 3); break;
        default: found[0] = lane_at(x - 1, y, 2), found[1] = lane_at(x - 1, y - 1, 0);
    }
}

void look_up_exits(int from, int way) {
    int tile = from / 4, side = from % 4;
    int x = tile_x[tile] + (side == 1 || way == 1), y = tile_y[tile] + (side == 0 || way == 0);
    Exits& exits = exits_of[from][way];
    exits.all = 0;
    for (int turn : {0, 1, 3}) {
        int arm = (way + turn) % 4, found[2];
        lanes_on_arm(x, y, arm, found);
        for (int to : found)
            if (to != NONE && is_open(x, y, way ^ 2, arm))
                exits.to[exits.all++] = {static_cast<int16_t>(to), static_cast<int16_t>(arm)};
        if (turn == 0) exits.straight = exits.all;
    }
}

// One row of the position; the others are passed over.
void keep(const char* name, const std::vector<int>& row) {
    auto is = [name](const char* other) { return strcmp(name, other) == 0; };
    for (int at = 0; at < static_cast<int>(row.size()); at++) {
        if (is("players")) players = row[at];
        if (is("asked")) first_seat = row[at];
        if (is("laid")) tiles = row[at];
        if (is("spot")) tile_x[at] = row[at] % 138, tile_y[at] = row[at] / 138;
        if (is("street")) lanes_of[at] = row[at];
        if (is("building")) has_work[at] = row[at] > 0;
        if (is("where")) first_lane[at] = row[at];
        if (is("facing")) first_facing[at] = row[at];
    }
}

void read_position() {
    char name[80];
    int count;
    while (scanf("%79s %d", name, &count) == 2) {
        std::vector<int> row(count);
        for (int& number : row)
            if (scanf("%d", &number) != 1) exit(1);
        keep(name, row);
    }
    for (int tile = 0; tile < tiles; tile++)
        for (int side = 0; side < 4; side++) {
            int here = 4 * tile + side;
            across[here] = lane_at(tile_x[tile] + EAST[side], tile_y[tile] + NORTH[side], side ^ 2);
            look_up_exits(here, (side + 1) % 4);
            look_up_exits(here, (side + 3) % 4);
        }
}

struct Move {
    int8_t car, way, facing;  // the way in which it comes to the lane, and how it faces there
    int16_t lane;             // NONE: it parks
};
Move moves[OWN * (LANES + 1)];

// Where a car can go that is hit on a lane by one coming in this direction; how many there are.
int ways_out(int hit_lane, int way, Exit found[8]) {
    const Exits& exits = exits_of[hit_lane][way];
    int count = 0;
    for (int exit = 0; exit < exits.all; exit++)
        if (car_on[exits.to[exit].lane] == NONE) found[count++] = exits.to[exit];
    if (across[hit_lane] != NONE && car_on[across[hit_lane]] == NONE)
        found[count++] = {static_cast<int16_t>(across[hit_lane]), NONE};
    return count;
}

bool can_be_hit(int start, int there, int way) {
    Exit found[8];
    int8_t mover = car_on[start];
    car_on[start] = NONE;
    int count = ways_out(there, way, found);
    car_on[start] = mover;
    return count > 0;
}

// The drives of a car in one direction, appended; `turned` is 2 when it goes backwards.
int list_drives(int count, int car, int way, int turned, int most) {
    int here = lane[car];
    for (int step = 1; step <= most; step++) {
        const Exits& exits = exits_of[here][way];
        int next = NONE;
        for (int exit = 0; exit < exits.all; exit++) {
            Exit to = exits.to[exit];
            bool is_free = car_on[to.lane] == NONE;
            if (is_free && exit < exits.straight) next = to.lane;
            if (is_free || (step > 1 && can_be_hit(lane[car], to.lane, to.way)))
                moves[count++] = {static_cast<int8_t>(car), static_cast<int8_t>(to.way),
                                  static_cast<int8_t>(to.way ^ turned), to.lane};
        }
        if (next == NONE) break;
        here = next;
    }
    return count;
}

int list_moves(int seat) {
    int count = 0;
    for (int car = OWN * seat; car < OWN * seat + OWN; car++) {
        if (lane[car] == NONE) continue;
        int8_t own = static_cast<int8_t>(car), back = static_cast<int8_t>(facing[car] ^ 2);
        int tile = lane[car] / 4, other = across[lane[car]];
        if (has_work[tile] && !is_taken[tile]) moves[count++] = {own, 0, 0, NONE};
        count = list_drives(count, car, facing[car], 0, TILES);
        count = list_drives(count, car, back, 2, 2);
        if (other != NONE && car_on[other] == NONE)
            moves[count++] = {own, back, back, static_cast<int16_t>(other)};
    }
    return count;
}

// The car on this lane has been hit by one coming in this direction: it is somewhere else when this is done.
void make_way(int hit, int here, int way) {
    Exit found[8];
    int count = ways_out(here, way, found), choice = 0;
    if (count > 1) {
        decisions++;
        choice = below(count);
    }
    Exit to = found[choice];
    if (to.way == NONE) facing[hit] ^= 2;
    else if (to.way != way) facing[hit] = facing[hit] == way ? to.way : to.way ^ 2;
    lane[hit] = to.lane;
    car_on[to.lane] = static_cast<int8_t>(hit);
}

void carry_out(const Move& move) {
    int car = move.car;
    car_on[lane[car]] = NONE;
    if (move.lane == NONE) {
        is_taken[lane[car] / 4] = true;
        lane[car] = NONE;
        parked[car / OWN]++;
        return;
    }
    int hit = car_on[move.lane];
    lane[car] = move.lane;
    facing[car] = move.facing;
    car_on[move.lane] = static_cast<int8_t>(car);
    if (hit != NONE) {
        crashes++;
        make_way(hit, move.lane, move.way);
    }
}

void play() {
    memset(car_on, NONE, sizeof car_on);
    memset(is_taken, 0, sizeof is_taken);
    memset(parked, 0, sizeof parked);
    for (int car = 0; car < OWN * players; car++) {
        lane[car] = first_lane[car];
        facing[car] = first_facing[car];
        car_on[lane[car]] = static_cast<int8_t>(car);
    }
    int seat = first_seat, passes = 0;
    for (int turn = 0; turn < LIMIT && passes < players; turn++) {
        int count = list_moves(seat), choice = 0;
        passes = count ? 0 : passes + 1;
        if (count > 1) {
            decisions++;
            choice = below(count);
        }
        if (count) carry_out(moves[choice]);
        if (parked[seat] == OWN) break;
        seat = seat + 1 == players ? 0 : seat + 1;
    }
    for (int each = 0; each < players; each++) all_parked += parked[each];
}

int main(int count, char** words) {
    read_position();
    long games = count > 1 ? atol(words[1]) : 100;
    clock_t begun = clock();  // of the processor: the machine may be busy with other things
    for (long game = 0; game < games; game++) play();
    double seconds = static_cast<double>(clock() - begun) / CLOCKS_PER_SEC;
    printf("%ld %.9f %ld %ld\n", decisions, seconds, crashes, all_parked);
}
